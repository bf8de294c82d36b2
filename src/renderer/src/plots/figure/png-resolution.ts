/** The resolution of a PNG, which programs for papers take its size from. */

const inchesOfMetre = 1 / 0.0254
/** Signature, then the header chunk: length, type, 13 bytes, checksum. */
const headerEnd = 8 + 4 + 4 + 13 + 4

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1
  return value
})

function checksum(bytes: Uint8Array): number {
  let value = 0xffffffff
  for (const byte of bytes) value = (table[(value ^ byte) & 255] ?? 0) ^ (value >>> 8)
  return (value ^ 0xffffffff) >>> 0
}

/** The same picture with a `pHYs` chunk: pixels a metre, square. */
export function withResolution(png: Uint8Array, dpi: number): Uint8Array<ArrayBuffer> {
  const chunk = new Uint8Array(4 + 4 + 9 + 4)
  const view = new DataView(chunk.buffer)
  const pixelsOfMetre = Math.round(dpi * inchesOfMetre)
  view.setUint32(0, 9)
  chunk.set(new TextEncoder().encode('pHYs'), 4)
  view.setUint32(8, pixelsOfMetre)
  view.setUint32(12, pixelsOfMetre)
  chunk[16] = 1
  view.setUint32(17, checksum(chunk.subarray(4, 17)))
  const whole = new Uint8Array(png.length + chunk.length)
  whole.set(png.subarray(0, headerEnd))
  whole.set(chunk, headerEnd)
  whole.set(png.subarray(headerEnd), headerEnd + chunk.length)
  return whole
}
