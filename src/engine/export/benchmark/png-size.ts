/** Signature and the IHDR chunk up to the height. */
const headerBytes = 24
const signature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

/** Pixels of a PNG, read from its header; null where the bytes are none. */
export function pngSize(bytes: Uint8Array): { readonly width: number; readonly height: number } | null {
  if (bytes.length < headerBytes || signature.some((byte, at) => bytes[at] !== byte)) return null
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const [width, height] = [view.getUint32(16), view.getUint32(20)]
  return width > 0 && height > 0 ? { width, height } : null
}
