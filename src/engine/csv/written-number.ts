/**
 * Numbers as people write them: thousands in groups (`1.580,30`, `1,580.30`, `1 580,30`), a currency, a percent sign or one unit that a
 * whole column shares. How a column writes them is found from its first cells; then each cell is read that way, or is no number.
 */
import { isMissingMark, parseNumber } from './number'

export interface WrittenForm {
  /** Between thousands; '' for none. A blank stands for all of them. */
  readonly group: '' | '.' | ',' | ' ' | "'"
  readonly decimal: '.' | ','
  /** Before or behind the number, without blanks; '' for none. */
  readonly unit: string
}

/** Longer cells are text. */
const longest = 40

/** Of the cells that are not missing: as many must be numbers in one form. */
const nearlyAll = 0.9

/** Sign, currency, sign, digits with their marks, unit; the sign may stand on either side of the currency. */
const parts =
  /^([+\-−]?)(\p{Sc}|[A-Z]{3})?\s?([+\-−]?)((?:\d(?:[\d.,'’\s]*[\d.,])?|[.,]\d+)(?:[eE][+-]?\d+)?)\s?(\p{Sc}|[%‰°]|[\p{L}°µΩ][\p{L}\d²³/°·]{0,7})?$/u

/** Three letters before a number are a currency only where they are one: `YSI-2` and `RUN 7` are names of things. */
const currencyCodes = new Set(Intl.supportedValuesOf('currency'))

function isCurrency(word: string): boolean {
  return !/^[A-Z]/.test(word) || currencyCodes.has(word)
}

interface Parts {
  readonly negative: boolean
  /** Digits with their marks and blanks. */
  readonly body: string
  readonly unit: string
}

function partsOf(cell: string): Parts | null {
  if (cell.length > longest) return null
  const [, before = '', currency = '', behind = '', body = '', unit = ''] = parts.exec(cell.trim()) ?? []
  if (body === '' || (before !== '' && behind !== '') || (currency !== '' && unit !== '')) return null
  if (!isCurrency(currency)) return null
  return { negative: /[-−]/u.test(before + behind), body, unit: currency + unit }
}

const marks = { '.': '[.]', ',': ',', ' ': '\\s', "'": "['’]", '': '' } as const

/** Groups of three digits, the first of one to three; or no groups: a pattern that Python reads alike. */
export function bodyPattern({ group, decimal }: Pick<WrittenForm, 'group' | 'decimal'>): string {
  const fraction = `(?:${marks[decimal]}\\d*)?(?:[eE][+-]?\\d+)?`
  const grouped = group === '' ? '' : `|\\d{1,3}(?:${marks[group]}\\d{3})+`
  return `(?:(?:\\d+${grouped})${fraction}|${marks[decimal]}\\d+)`
}

function bodyOf(form: WrittenForm): RegExp {
  return new RegExp(`^${bodyPattern(form)}$`, 'u')
}

const bodies = new Map<string, RegExp>()

function fits(body: string, form: WrittenForm): boolean {
  const key = form.group + form.decimal
  const pattern = bodies.get(key) ?? bodyOf(form)
  bodies.set(key, pattern)
  return pattern.test(body)
}

/** The finite number of a cell in a form, or null. A plain number without the unit is one too. */
export function readWritten(cell: string, form: WrittenForm): number | null {
  const found = partsOf(cell)
  if (found === null || (found.unit !== '' && found.unit !== form.unit)) return null
  if (!fits(found.body, form)) return null
  const digits = found.body.replace(/['’\s]/gu, '').replaceAll(form.decimal === ',' ? '.' : ',', '')
  const value = Number(digits.replace(',', '.'))
  if (!Number.isFinite(value)) return null
  return found.negative ? -value : value
}

const groups = { '.': ['', ',', ' ', "'"], ',': ['', '.', ' ', "'"] } as const

/**
 * The form in which nearly all of these cells are numbers, where they are not plain ones; null where plain numbers do as well, or no
 * form fits.
 * @param decimal of the file: the mark of a form that both could be
 */
export function findWrittenForm(cells: readonly string[], decimal: '.' | ','): WrittenForm | null {
  const filled = cells.filter((cell) => !isMissingMark(cell))
  const plain = filled.filter((cell) => parseNumber(cell, decimal) !== null).length
  if (filled.length < 2 || plain === filled.length) return null
  const units = commonest(filled.map((cell) => partsOf(cell)?.unit ?? ''))
  const decimals = decimal === '.' ? (['.', ','] as const) : ([',', '.'] as const)
  let best: { readonly form: WrittenForm; readonly count: number } | null = null
  for (const mark of decimals) {
    for (const group of groups[mark]) {
      const form = { group, decimal: mark, unit: units }
      const count = filled.filter((cell) => readWritten(cell, form) !== null).length
      if (count > (best?.count ?? plain)) best = { form, count }
    }
  }
  return best !== null && best.count >= nearlyAll * filled.length ? best.form : null
}

/** The unit that most cells have which have one. */
function commonest(units: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const unit of units) if (unit !== '') counts.set(unit, (counts.get(unit) ?? 0) + 1)
  return [...counts].sort(([, a], [, b]) => b - a).at(0)?.[0] ?? ''
}

const groupWords = {
  '.': 'with points between thousands',
  ',': 'with commas between thousands',
  ' ': 'with blanks between thousands',
  "'": 'with apostrophes between thousands',
  '': '',
} as const

/** `with commas between thousands, in €`. */
export function writtenWords({ group, decimal, unit }: WrittenForm, fileDecimal: '.' | ','): string {
  const said = [
    groupWords[group],
    decimal === fileDecimal ? '' : decimal === ',' ? 'with a decimal comma' : 'with a decimal point',
    unit === '' ? '' : unit === '%' ? 'as per cent' : `in ${unit}`,
  ]
  return said.filter(Boolean).join(', ')
}
