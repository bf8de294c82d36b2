import type { AnyPoints, HeldPoints } from '../engine'
import type { CudaAddon } from '../native'

/** Beside the points every session has labels, columns and bounds of its own. */
const shareOfFree = 1 / 4

/**
 * Points on a device of an addon. Null where they are not its to hold, and where they fail to get there: the session that uploads
 * them itself says what is wrong with them.
 */
export async function holdOn(
  addon: Pick<CudaAddon, 'HeldPoints'>,
  { x, n, d }: AnyPoints,
  deviceIndex: number,
  freeBytes: number,
): Promise<HeldPoints | null> {
  if (addon.HeldPoints === undefined || x instanceof Float64Array) return null
  if (x.byteLength > freeBytes * shareOfFree) return null
  const began = performance.now()
  const held = new addon.HeldPoints(x, n, d, deviceIndex)
  try {
    await held.upload()
  } catch {
    held.close()
    return null
  }
  return { uploadMs: performance.now() - began, close: async () => held.close() }
}
