import expected from './expected.json'
import type { HashCase } from './cases'
import { hashOn, type Way } from './engine-run'

/** What a case came to on some ways: `refused` where a regime does not suit its shape. */
export interface Tally {
  equal: number
  refused: number
  readonly different: string[]
}

export function emptyTally(): Tally {
  return { equal: 0, refused: 0, different: [] }
}

/** Carries a case out on each way and compares with the hash that exact arithmetic gave. */
export async function checkCase(
  { name, config, points }: HashCase,
  ways: readonly Way[],
  tally: Tally,
): Promise<void> {
  const hashes: Readonly<Record<string, string>> = expected
  const prepared = points()
  for (const way of ways) {
    const found = await hashOn(way, prepared, config)
    if (found === null) tally.refused++
    else if (found === hashes[name]) tally.equal++
    else tally.different.push(`${name} on ${way.name}: ${found.slice(0, 12)}`)
  }
}
