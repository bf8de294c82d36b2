import type { Chance } from './chance'

/** Cells that readers may take for different things; of each kind of column some. */
const numbers = [
  ...['0', '-0', '7', '-12', '3.25', '.5', '7.', '0012', '+4', '1e3', '2.5E-3', '1e', '1.2.3', '--1', '-.5'],
  ...[
    '123456789012345',
    '1234567890123456',
    '9007199254740993',
    '12345678901234567890',
    '-9223372036854775808',
  ],
  ...['0.1', '0.30000000000000004', '1.7976931348623157e308', '4.9e-324', '1e400', '-1e400', '1e-400'],
  ...[
    '2.2250738585072014e-308',
    '179769313486231570000000000000',
    '0.000000000000000000001',
    '1_000',
    '0x1f',
  ],
  ...[' 5', '5 ', '\t6', '\u00a07', '8\u3000', '\ufeff9', '1,5', '2147483647', '-2147483648', '21474836.47'],
]
const marks = ['', ' ', 'NA', 'nan', 'Null', '?', '-', 'inf', '-INF', '+Infinity', 'none', 'N/A']
const words = [
  'a',
  'née',
  'Größe',
  '€',
  '𝄞',
  'x y',
  'Kelvin',
  'ſ',
  'inf.',
  'nank',
  '#3',
  "it's",
  'long '.repeat(20),
]
const quoted = ['"b"', '""', '"x,y"', '"x;y"', '"say ""so"""', '"7"', '" 1.5 "', '"é"', '"-"']
const doubtful = [' "c"', '"c" ', 'd"e', '"two\nlines"', '"open', '"f"g', '\0', '\ud800']

/**
 * The text of a table that is hard to read: most lines are rows of numbers, and anything else stands among them.
 * @param share of the cells that are odd; doubtful ones are a tenth of those
 */
export function awkwardText(chance: Chance, share: number): string {
  const delimiter = chance.of([',', ';', '\t', '|'])
  const width = 1 + chance.below(6)
  const lineEnds = chance.yes(0.7) ? [chance.of(['\n', '\r\n', '\r'])] : ['\n', '\r\n', '\r']
  const plain = (): string => chance.of([() => String(chance.below(99)), () => chance.next().toFixed(6)])()
  const odd = (): string => {
    const kinds = chance.yes(0.1) ? doubtful : chance.of([numbers, numbers, marks, words, quoted])
    return chance.of(kinds)
  }
  const kinds = Array.from({ length: width }, () => chance.of([plain, plain, plain, () => chance.of(words)]))
  const row = () => kinds.map((make) => (chance.yes(share) ? odd() : make()))
  const lines = Array.from({ length: 1 + chance.below(chance.yes(0.2) ? 2000 : 60) }, () => {
    if (chance.yes(share / 4)) return chance.of(['', ' ', delimiter, [...row(), '1'].join(delimiter), '2'])
    return row().join(delimiter) + (chance.yes(share / 10) ? delimiter : '')
  })
  const header = chance.yes(0.7) ? [kinds.map((_, i) => chance.of(['x', 'id', 'größe']) + String(i))] : []
  const above = chance.yes(0.1) ? [chance.of(['# a comment', 'A title of a table', 'sep=;', ''])] : []
  const text = [...above, ...header.map((names) => names.join(delimiter)), ...lines]
    .map((line) => line + chance.of(lineEnds))
    .join('')
  const ended = chance.yes(0.7) ? text : text.replace(/(\r\n|\n|\r)$/, '')
  return chance.yes(0.1) ? `\ufeff${ended}` : ended
}
