/** What is done once nothing has asked for it any more for a while. */
export interface Debounced {
  /** Asks for it, `ms` milliseconds from now; whatever was asked for before is not done. */
  readonly ask: (ms?: number) => void
  readonly cancel: () => void
  /** Does at once what waits. */
  readonly flush: () => void
}

export function debounced(act: () => void, delayMs: number): Debounced {
  let timer: ReturnType<typeof setTimeout> | null = null
  function cancel(): void {
    if (timer !== null) clearTimeout(timer)
    timer = null
  }
  function now(): void {
    timer = null
    act()
  }
  function ask(ms = delayMs): void {
    cancel()
    timer = setTimeout(now, ms)
  }
  function flush(): void {
    if (timer === null) return
    cancel()
    act()
  }
  return { ask, cancel, flush }
}
