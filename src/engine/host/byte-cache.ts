/** Arrays by key, the least recently used going first once they take more than `maxBytes` together. */
export class ByteCache<T extends { readonly byteLength: number }> {
  /** A Map keeps the order of insertion: the first is the one longest unused. */
  private readonly entries = new Map<string, T>()
  private bytes = 0

  constructor(private readonly maxBytes: number) {}

  get(key: string): T | undefined {
    const value = this.entries.get(key)
    if (value === undefined) return undefined
    this.entries.delete(key)
    this.entries.set(key, value)
    return value
  }

  /** Keeps a value, but one that alone is larger than all there may be. */
  set(key: string, value: T): void {
    this.remove(key)
    if (value.byteLength > this.maxBytes) return
    this.entries.set(key, value)
    this.bytes += value.byteLength
    for (const oldest of this.entries.keys()) {
      if (this.bytes <= this.maxBytes) return
      this.remove(oldest)
    }
  }

  /** Lets go of every key that begins with `prefix`. */
  removeAll(prefix: string): void {
    for (const key of [...this.entries.keys()]) if (key.startsWith(prefix)) this.remove(key)
  }

  private remove(key: string): void {
    this.bytes -= this.entries.get(key)?.byteLength ?? 0
    this.entries.delete(key)
  }
}
