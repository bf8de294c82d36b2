/** What has happened in a store, for those who act on it: told at once, in the order in which they asked to hear. */
export interface EventHook<T> {
  /** @returns what ends it */
  readonly on: (listener: (what: T) => void) => () => void
  readonly trigger: (what: T) => void
}

export function createEventHook<T = void>(): EventHook<T> {
  const listeners = new Set<(what: T) => void>()
  return {
    on(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    trigger: (what) => listeners.forEach((listener) => listener(what)),
  }
}
