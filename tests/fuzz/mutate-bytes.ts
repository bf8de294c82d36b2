import type { Chance } from './chance'

const maxBytes = 60_000

/** What breaks readers of tables: quotes, line ends, marks of encodings, cut characters, numbers at the edge. */
const pieces: readonly Uint8Array[] = [
  ...['"', '""', "'", '"a""b"', '"\n"', '\r', '\n', '\r\n', '\n\n\n', ',', ';', '\t', '|', ',,,,', ' '],
  ...[
    'NaN',
    '1e400',
    '-1e-400',
    '1e308',
    '9007199254740993',
    '0x10',
    '1,5',
    '1.2.3',
    '+',
    '-',
    '.',
    'e5',
    'NA',
  ],
  ...['é', '漢', '🦊', '\u2028', '\uFEFF', '\u0000', '\u0085', '=cmd()', '3\n2\n2\n', '\\"', '#'],
].map((text) => new TextEncoder().encode(text))
const marks: readonly Uint8Array[] = [
  [0xef, 0xbb, 0xbf],
  [0xff, 0xfe],
  [0xfe, 0xff],
  [0xff, 0xfe, 0, 0],
].map((mark) => Uint8Array.from(mark))
const broken: readonly Uint8Array[] = [
  [0xc3],
  [0xe2, 0x82],
  [0xf0, 0x9f],
  [0xff],
  [0x80],
  [0xc0, 0xaf],
  [0xed, 0xa0, 0x80],
].map((bytes) => Uint8Array.from(bytes))

type Mutation = (bytes: Uint8Array, chance: Chance) => Uint8Array

const none = new Uint8Array()

function spliced(bytes: Uint8Array, at: number, removed: number, added: Uint8Array): Uint8Array {
  return Buffer.concat([bytes.subarray(0, at), added, bytes.subarray(at + removed)])
}

const insert = (choices: readonly Uint8Array[]): Mutation => {
  return (bytes, chance) => spliced(bytes, chance.below(bytes.length + 1), 0, chance.of(choices))
}

/** Each rewrites the bytes of a whole file. */
const mutations: readonly Mutation[] = [
  insert(pieces),
  insert(pieces),
  insert(broken),
  (bytes, chance) => spliced(bytes, chance.below(bytes.length + 1), chance.below(20), none),
  (bytes, chance) => bytes.subarray(0, chance.below(bytes.length + 1)),
  (bytes, chance) => bytes.subarray(chance.below(bytes.length + 1)),
  (bytes, chance) => Buffer.concat([chance.of(marks), bytes]),
  (bytes, chance) => bytes.map((byte) => (chance.yes(0.01) ? chance.below(256) : byte)),
  (bytes, chance) =>
    spliced(
      bytes,
      chance.below(bytes.length + 1),
      0,
      Buffer.alloc(chance.below(40_000), chance.of(['x', '"', ',', '9'])),
    ),
  (bytes, chance) => {
    const at = chance.below(bytes.length + 1)
    return Buffer.concat([bytes, bytes.subarray(at, at + chance.below(2000))])
  },
  (bytes) => Buffer.from(Buffer.from(bytes).toString('latin1'), 'utf16le'),
  (bytes) => Buffer.from(Buffer.from(bytes).toString('latin1'), 'utf16le').swap16(),
  (bytes) =>
    Buffer.concat([Uint8Array.of(0xff, 0xfe), Buffer.from(Buffer.from(bytes).toString('latin1'), 'utf16le')]),
  (bytes, chance) => replaced(bytes, '\n', chance.of(['\r', '\r\n', '\n\r', ''])),
  (bytes, chance) => replaced(bytes, ',', chance.of([';', '\t', ' ', ',"', '",'])),
  (bytes) => replaced(bytes, '.', ','),
]

function replaced(bytes: Uint8Array, from: string, to: string): Uint8Array {
  return Buffer.from(Buffer.from(bytes).toString('latin1').replaceAll(from, to), 'latin1')
}

/** The bytes of a file, spoiled in one to six ways. */
export function mutated(bytes: Uint8Array, chance: Chance): Uint8Array {
  let result = bytes
  for (let left = 1 + chance.below(6); left > 0; left--) result = chance.of(mutations)(result, chance)
  return result.subarray(0, maxBytes)
}
