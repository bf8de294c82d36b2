/** Reads the bytes of a file one after the other, for their hash, while its values are read by their position. */
export class Alongside {
  readonly #bytes: AsyncIterator<Uint8Array>
  #read = 0
  #isEnd = false

  constructor(bytes: AsyncIterable<Uint8Array>) {
    this.#bytes = bytes[Symbol.asyncIterator]()
  }

  /** Side by side with the values, so that bytes are found in the cache and told as progress. */
  async until(end: number): Promise<void> {
    while (!this.#isEnd && this.#read < end) {
      const { value, done } = await this.#bytes.next()
      if (done === true) this.#isEnd = true
      else this.#read += value.length
    }
  }
}
