/** Values by key within a budget of bytes: the longest unused are given up first. */
interface Kept<V> {
  readonly value: V
  readonly bytes: number
}

export interface ByteBudget<V> {
  readonly bytes: number
  /** The newest so many stay, however large they are. */
  readonly inUse: number
  /** Told of each value that is given up to make room. */
  readonly giveUp?: (key: string, value: V) => void
}

export class ByteCache<V> {
  private readonly kept = new Map<string, Kept<V>>()
  private bytes = 0

  constructor(private readonly budget: ByteBudget<V>) {}

  /** The value, which counts as used now. */
  get(key: string): V | undefined {
    const found = this.kept.get(key)
    if (!found) return undefined
    this.kept.delete(key)
    this.kept.set(key, found)
    return found.value
  }

  /** Keeps a value in place of an older one of the same key. */
  set(key: string, value: V, bytes: number): void {
    this.bytes += bytes - (this.kept.get(key)?.bytes ?? 0)
    this.kept.delete(key)
    this.kept.set(key, { value, bytes })
    this.makeRoom()
  }

  private makeRoom(): void {
    for (const [key, { value, bytes }] of this.kept) {
      if (this.bytes <= this.budget.bytes || this.kept.size <= this.budget.inUse) return
      this.kept.delete(key)
      this.bytes -= bytes
      this.budget.giveUp?.(key, value)
    }
  }

  keys(): readonly string[] {
    return [...this.kept.keys()]
  }

  clear(): void {
    this.kept.clear()
    this.bytes = 0
  }
}
