/** Of the time since work was last given out, what passes before Dawn is asked again: what a wait may last too long. */
const share = 1 / 32
const longestMs = 1
/** A shorter sleep lasts no shorter. */
const shortestMs = 0.02

type Schedule = (callback: (...args: unknown[]) => void, ...args: unknown[]) => unknown

const never = new Int32Array(new SharedArrayBuffer(4))
let since = 0
let isCalm = false

/**
 * Dawn's binding for Node asks for finished work as often as the event loop turns, by a new function for `setImmediate`, which it
 * looks up in the global object, each time. Functions of addons are slow to collect: of 100 000 a second
 * the collector stops the process for 20 ms, several times a second; and the thread that asks takes a processor from whoever works
 * on it, SwiftShader's threads among them. So this thread sleeps between two questions, the longer the longer it has waited.
 */
export function calmPolling(): void {
  // There a sleep may last 16 ms, whatever was asked for.
  if (isCalm || process.platform === 'win32') return
  isCalm = true
  const all = Object.getOwnPropertyDescriptors(globalThis.setImmediate)
  globalThis.setImmediate = Object.defineProperties(
    calmed(setImmediate as Schedule),
    all,
  ) as typeof setImmediate
}

/** Work was given out: the next answer may come at once. */
export function expectAnswer(): void {
  since = performance.now()
}

/** `schedule`, with a sleep before each callback that is a function of an addon. */
export function calmed(schedule: Schedule): Schedule {
  const later = (callback: () => void) => {
    sleep((performance.now() - since) * share)
    callback()
  }
  return (callback, ...args) =>
    isNative(callback) ? schedule(later as Parameters<Schedule>[0], callback) : schedule(callback, ...args)
}

function sleep(ms: number): void {
  if (ms >= shortestMs) Atomics.wait(never, 0, 0, Math.min(ms, longestMs))
}

function isNative(callback: unknown): boolean {
  return Function.prototype.toString.call(callback).endsWith('{ [native code] }')
}
