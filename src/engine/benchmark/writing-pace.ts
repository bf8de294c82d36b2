/** Of the time that passes, writing takes this share at most. */
const writingShare = 0.05

/**
 * When what grows row by row is written again: a document of thousands of rows, written whole after each case, would take longer
 * than the runs. What a process that ends loses is what was measured in the last twenty times that one writing took.
 */
export class WritingPace {
  #due = Number.NEGATIVE_INFINITY

  get isDue(): boolean {
    return performance.now() >= this.#due
  }

  /** Answers what the writing answers. */
  async write<T>(writing: () => Promise<T>): Promise<T> {
    const began = performance.now()
    try {
      return await writing()
    } finally {
      const ended = performance.now()
      this.#due = ended + (ended - began) * (1 / writingShare - 1)
    }
  }
}
