/** Thrown where a variant breaks the contract; the suite and the runner without a suite count it alike. */
export class CheckFailure extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'CheckFailure'
  }
}

/** @throws CheckFailure when the fact does not hold. */
export function check(holds: boolean, message: string): void {
  if (!holds) throw new CheckFailure(message)
}

/** @throws CheckFailure when the two are not the same number, NaN being NaN. */
export function checkSame(found: number | null, expected: number, what: string): void {
  check(Object.is(found, expected) || found === expected, `${what}: ${found} instead of ${expected}`)
}

/** @throws CheckFailure when the number is larger than the bound, or none. */
export function checkAtMost(found: number, bound: number, what: string): void {
  check(found <= bound, `${what}: ${found}, more than ${bound}`)
}

/** @throws CheckFailure at the first label that differs. */
export function checkLabels(found: Int32Array, expected: Int32Array, what: string): void {
  checkSame(found.length, expected.length, `number of ${what}`)
  const different = found.findIndex((label, i) => label !== expected[i])
  if (different < 0) return
  checkSame(found[different], expected[different], `${what}: point ${different}`)
}
