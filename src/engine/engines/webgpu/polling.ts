/** Of the time since work was last given out, what passes before Dawn is asked again, and so what a wait may last too long. */
const share = 1 / 32
/** Whatever else the process has to do waits as long at every turn of its event loop. */
const longestMs = 0.25
/** What a sleep lasts beyond what was asked for, about; one that could only be longer than wanted is left out. */
const overheadMs = 0.055

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
    isOfAddon(callback, args)
      ? schedule(later as Parameters<Schedule>[0], callback)
      : schedule(callback, ...args)
}

function sleep(ms: number): void {
  const rest = Math.min(ms, longestMs) - overheadMs
  if (rest > 0) Atomics.wait(never, 0, 0, rest)
}

/** Functions of addons have no name and ask for nothing; bound ones have a name, and what resolves a promise an argument. */
function isOfAddon(callback: unknown, args: readonly unknown[]): boolean {
  if (typeof callback !== 'function' || callback.name !== '' || callback.length + args.length > 0)
    return false
  return Function.prototype.toString.call(callback).endsWith('{ [native code] }')
}
