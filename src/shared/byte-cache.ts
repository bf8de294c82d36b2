interface Kept<V> {
  readonly value: V
  readonly bytes: number
}

export interface ByteBudget<V> {
  readonly bytes: number
  /** The newest so many stay, however large they are; none unless said. */
  readonly inUse?: number
  /** Told of each value that is given up to make room. */
  readonly giveUp?: (key: string, value: V) => void
}

/** Values by key within a budget of bytes: the longest unused are given up first. */
export class ByteCache<V> {
  /** A Map keeps the order of insertion: the first is the one longest unused. */
  private readonly kept = new Map<string, Kept<V>>()
  private readonly inUse: number
  private bytes = 0

  constructor(private readonly budget: ByteBudget<V>) {
    this.inUse = budget.inUse ?? 0
  }

  /** The value, which counts as used now. */
  get(key: string): V | undefined {
    const found = this.kept.get(key)
    if (!found) return undefined
    this.kept.delete(key)
    this.kept.set(key, found)
    return found.value
  }

  /** Keeps a value in place of an older one of the same key, unless it can never fit. */
  set(key: string, value: V, bytes: number): void {
    this.remove(key)
    if (this.inUse === 0 && bytes > this.budget.bytes) return
    this.kept.set(key, { value, bytes })
    this.bytes += bytes
    this.makeRoom()
  }

  private makeRoom(): void {
    for (const [key, { value }] of this.kept) {
      if (this.bytes <= this.budget.bytes || this.kept.size <= this.inUse) return
      this.remove(key)
      this.budget.giveUp?.(key, value)
    }
  }

  /** Lets go of every key that begins with `prefix`; nobody is told. */
  removeAll(prefix: string): void {
    for (const key of [...this.kept.keys()]) if (key.startsWith(prefix)) this.remove(key)
  }

  keys(): readonly string[] {
    return [...this.kept.keys()]
  }

  clear(): void {
    this.kept.clear()
    this.bytes = 0
  }

  private remove(key: string): void {
    this.bytes -= this.kept.get(key)?.bytes ?? 0
    this.kept.delete(key)
  }
}
