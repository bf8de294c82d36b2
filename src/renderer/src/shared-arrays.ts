/**
 * Arrays of the length of a table, which threads that draw see without a copy of their own. A page that shares nothing with other
 * origins has them (src/main/app-scheme.ts); any other, such as one of tests, has plain arrays, which are copied.
 */
export function sharedFloats(length: number): Float32Array {
  return new Float32Array(roomFor(length * Float32Array.BYTES_PER_ELEMENT))
}

export function sharedIntegers(length: number): Int32Array {
  return new Int32Array(roomFor(length * Int32Array.BYTES_PER_ELEMENT))
}

export function isShared({ buffer }: ArrayBufferView): boolean {
  return typeof SharedArrayBuffer !== 'undefined' && buffer instanceof SharedArrayBuffer
}

function roomFor(bytes: number): ArrayBufferLike {
  return globalThis.crossOriginIsolated ? new SharedArrayBuffer(bytes) : new ArrayBuffer(bytes)
}
