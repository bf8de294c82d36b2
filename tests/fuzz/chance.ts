import { Chance } from '@engine/csv/testing/chance'

export type { Chance }

/** A case is known by its seed on every machine. */
export function chanceOf(seed: number): Chance {
  return new Chance(Math.imul(seed + 1, 0x9e3779b9))
}
