import { typeGiven, type DateColumn, type ColumnInfo, type ColumnType, type GivenType } from '@shared/dataset'
import { orderWords, unitWords } from '@shared/dates'
import { roleOf, type ColumnRole } from '../dataset/column-role'
import type { ColumnFacts } from './column-facts'

/** Names people give to columns that only tell rows apart. */
const identifierName = /^(id|index|idx|no|nr|row|key|uuid|guid|rownames?|unnamed: 0)$|[_ -]id$|^id[_ -]/i

/** Fewer rows than this never prove an identifier by counting alone. */
const minCounted = 5

/** Is it the name of a column that only tells rows apart? */
export function namesRows(name: string): boolean {
  return identifierName.test(name.trim())
}

interface TypeFound {
  readonly type: ColumnType
  readonly because: string
}

/** What a column is, from the facts over the whole file. `kept`: its numbers were kept. */
export function describeColumn(facts: ColumnFacts, kept: boolean, forced: GivenType | undefined): ColumnInfo {
  const { type, because } = forced ? { type: typeGiven(forced), because: 'Set by hand.' } : found(facts, kept)
  const hasRange = facts.numbers > 0 && kept
  return {
    index: facts.index,
    name: facts.name,
    type,
    because,
    missing: facts.missing,
    notNumeric: kept ? facts.notNumeric : 0,
    ...(facts.odd && { odd: facts.odd }),
    ...(kept && facts.coarse && { coarse: facts.coarse }),
    ...(kept && facts.written && { written: facts.written }),
    ...(kept && type === 'date' && facts.date && { date: facts.date }),
    min: hasRange ? facts.min : null,
    max: hasRange ? facts.max : null,
    mean: hasRange ? facts.mean : null,
    integer: hasRange && facts.integer,
    proposed: type === 'numeric' && facts.numbers > 0 && roleOf(facts.name) === null,
  }
}

function found(facts: ColumnFacts, kept: boolean): TypeFound {
  if (facts.numbers === 0 && facts.notNumeric === 0)
    return { type: 'constant', because: 'All cells are missing.' }
  return kept && facts.numbers >= facts.notNumeric ? numericType(facts) : textType(facts)
}

function dateType({ numbers, notNumeric }: ColumnFacts, { order, unit }: DateColumn): TypeFound {
  const rest = notNumeric > 0 ? `; ${notNumeric} cells are not and count as missing` : ''
  return {
    type: 'date',
    because: `${numbers} cells are dates, ${orderWords[order]}, as ${unitWords[unit]}${rest}.`,
  }
}

const notProposed: Readonly<Record<ColumnRole, string>> = {
  weight: 'Not proposed: it is named like a weight.',
  label: 'Not proposed: it is named like a label.',
}

function numericType(facts: ColumnFacts): TypeFound {
  const { numbers, notNumeric, written, date } = facts
  if (date !== undefined) return dateType(facts, date)
  if (facts.min === facts.max && numbers > 1)
    return { type: 'constant', because: `Every number is ${facts.min}.` }
  if (facts.integer && facts.countsUp && numbers >= minCounted && (facts.min === 0 || facts.min === 1)) {
    return { type: 'identifier', because: `Whole numbers that count up from ${facts.min}.` }
  }
  if (facts.integer && facts.unique && numbers > 1) {
    return {
      type: 'identifier',
      because: 'Unique whole numbers in a column named like an identifier.',
    }
  }
  // Two that are the same here may differ in the file.
  if (facts.integer && facts.coarse !== undefined && namesRows(facts.name)) {
    const because = 'Whole numbers of more digits than float64 holds in a column named like an identifier.'
    return { type: 'identifier', because }
  }
  const rest = notNumeric > 0 ? `; ${notNumeric} cells are not and count as missing` : ''
  const how = written === undefined ? '' : ` ${written.words}`
  const role = roleOf(facts.name)
  const proposal = role === null ? '' : ` ${notProposed[role]}`
  return { type: 'numeric', because: `${numbers} cells are numbers${how}${rest}.${proposal}` }
}

function textType(facts: ColumnFacts): TypeFound {
  const { distinct, manyDistinct, name } = facts
  const texts = facts.notNumeric + facts.numbers
  if (distinct === 1 && texts > 1) return { type: 'constant', because: 'Every cell has the same text.' }
  const unique = !manyDistinct && distinct === texts && texts > 1
  if (unique && namesRows(name)) {
    return { type: 'identifier', because: 'Unique texts in a column named like an identifier.' }
  }
  const few = !manyDistinct && distinct <= Math.max(20, Math.sqrt(texts))
  if (few && !unique)
    return { type: 'categorical', because: `${distinct} different texts in ${texts} cells.` }
  return {
    type: 'text',
    because: manyDistinct
      ? `More than ${distinct} different texts.`
      : `${distinct} different texts in ${texts} cells.`,
  }
}
