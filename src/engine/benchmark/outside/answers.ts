import type { Readable } from 'node:stream'

/** Reads lines and counted bytes, in the order in which they are asked for. One call at a time. */
export class Answers {
  readonly #pieces: AsyncIterator<Buffer>
  #rest: Buffer = Buffer.alloc(0)

  constructor(stream: Readable) {
    this.#pieces = stream[Symbol.asyncIterator]()
  }

  /** Text before the next line feed; null at the end of the stream. */
  async line(): Promise<string | null> {
    for (;;) {
      const end = this.#rest.indexOf(10)
      if (end >= 0) {
        const line = this.#rest.toString('utf8', 0, end)
        this.#rest = this.#rest.subarray(end + 1)
        return line
      }
      const piece = await this.#next()
      if (piece === null) return null
      this.#rest = Buffer.concat([this.#rest, piece])
    }
  }

  /** Exactly that many bytes in a buffer of their own; null when the stream ends before. */
  async bytes(count: number): Promise<ArrayBuffer | null> {
    const all = new Uint8Array(count)
    let filled = 0
    while (filled < count) {
      const piece = this.#rest.length > 0 ? this.#rest : await this.#next()
      if (piece === null) return null
      const taken = piece.subarray(0, count - filled)
      all.set(taken, filled)
      filled += taken.length
      this.#rest = piece.subarray(taken.length)
    }
    return all.buffer
  }

  async #next(): Promise<Buffer | null> {
    const { value, done } = await this.#pieces.next()
    return done === true ? null : value
  }
}
