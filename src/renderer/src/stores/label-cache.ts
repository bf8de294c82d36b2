/** Labels of iterations that were shown, the least lately used given up first. */
const mostBytes = 64 * 2 ** 20

export class LabelCache {
  private readonly kept = new Map<string, Int32Array>()
  private bytes = 0

  get(key: string): Int32Array | undefined {
    const found = this.kept.get(key)
    if (found) {
      this.kept.delete(key)
      this.kept.set(key, found)
    }
    return found
  }

  set(key: string, labels: Int32Array): void {
    this.kept.set(key, labels)
    this.bytes += labels.byteLength
    for (const [oldest, { byteLength }] of this.kept) {
      if (this.bytes <= mostBytes || oldest === key) return
      this.kept.delete(oldest)
      this.bytes -= byteLength
    }
  }

  clear(): void {
    this.kept.clear()
    this.bytes = 0
  }
}
