/** Closes a union: a case that was forgotten is a type error here, and a clear failure at run time. */
export function assertNever(value: never, name = 'value'): never {
  throw new TypeError(`Expected every case of ${name} to be handled but received ${String(value)}`)
}
