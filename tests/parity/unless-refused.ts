import type { TestContext } from 'vitest'
import { refusalOf } from './contenders'

/** A test of a regime, which is skipped with its sentence where the regime refuses the shape. */
export function unlessRefused(work: () => Promise<void>): (context: TestContext) => Promise<void> {
  return async ({ skip }) => {
    try {
      await work()
    } catch (error) {
      const refusal = refusalOf(error)
      if (refusal === null) throw error
      skip(refusal)
    }
  }
}
