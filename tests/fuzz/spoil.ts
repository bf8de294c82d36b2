import type { Chance } from './chance'

/** Names that lead out of a folder, or into what every object inherits. */
export const evilWords = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  '../../../../etc/passwd',
  '..\\..\\windows',
  '/etc/passwd',
  'file:///etc/passwd',
  '%2e%2e%2f',
  '\0',
  'a\0b',
  '',
  ' ',
  '\u202Egnp.exe',
  '💥'.repeat(500),
  'x'.repeat(200_000),
]

const numbers = [0, -0, -1, 1, 0.5, NaN, Infinity, -Infinity, 2 ** 31, 2 ** 53, -(2 ** 53), 1e308, 5e-324]
const others: readonly (() => unknown)[] = [
  () => null,
  () => undefined,
  () => true,
  () => [],
  () => ({}),
  () => new Uint8Array(8),
  () => new Float64Array([NaN, 1]),
  () => new ArrayBuffer(3),
  () => new Date(NaN),
  () => new Map([['a', 1]]),
  () => 10n ** 30n,
  () => new Array(50_000).fill(0),
  () => JSON.parse('{"__proto__": {"polluted": true}}') as unknown,
  () => nested(2000),
]

function nested(depth: number): unknown {
  let value: unknown = 1
  for (let left = depth; left > 0; left--) value = left % 2 === 0 ? [value] : { value }
  return value
}

/** Something that nobody asked for: what a message between processes can carry. */
export function anything(chance: Chance): unknown {
  const kind = chance.below(3)
  if (kind === 0) return chance.of(evilWords)
  return kind === 1 ? chance.of(numbers) : chance.of(others)()
}

/** A message with one to three of its values, at any depth, replaced, removed or joined by others. */
export function spoiled(message: unknown, chance: Chance): unknown {
  if (chance.yes(0.05)) return anything(chance)
  let result = structuredClone(message)
  for (let left = 1 + chance.below(3); left > 0; left--) result = spoiledOnce(result, chance)
  return result
}

function spoiledOnce(value: unknown, chance: Chance): unknown {
  if (value === null || typeof value !== 'object' || ArrayBuffer.isView(value)) return anything(chance)
  const entries = Object.keys(value)
  const record = value as Record<string, unknown>
  const key = entries.length > 0 ? chance.of(entries) : null
  const turn = chance.below(6)
  if (key === null || turn === 0)
    define(record, chance.of([...evilWords.slice(0, 5), 'extra']), anything(chance))
  else if (turn === 1) Reflect.deleteProperty(record, key)
  else record[key] = turn < 4 ? spoiledOnce(record[key], chance) : anything(chance)
  return value
}

/** As a property of its own, `__proto__` too: that is how it comes out of a message. */
function define(record: object, key: string, value: unknown): void {
  Object.defineProperty(record, key, { value, enumerable: true, configurable: true, writable: true })
}
