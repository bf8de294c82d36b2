/** Tells when something happens too often in a short time. */
export class Repeats {
  readonly #times: number[] = []

  /**
   * @param most this many within the time are too often
   * @param withinMs the time
   */
  constructor(
    private readonly most: number,
    private readonly withinMs: number,
  ) {}

  /** It happened once more. @returns too often */
  again(now = performance.now()): boolean {
    this.#times.push(now)
    const oldest = this.#times.at(-this.most)
    return oldest !== undefined && now - oldest <= this.withinMs
  }
}
