import type { Points } from '../engines/engine'
import { loadCpuAddon } from '../engines/native'
import { nativeVerifier } from './native-verifier'
import { nativeScale, typescriptScale, type VerificationScale } from './sampling'
import { typescriptVerifier } from './typescript-verifier'
import type { Verifier } from './verifier'

/** The native one, or its TypeScript twin where the addon was not built. */
export function verifierOf(points: Points): Verifier {
  const native = loadCpuAddon().addon?.Verification
  return native === undefined
    ? typescriptVerifier(points)
    : nativeVerifier(points, new native(points.x, points.n, points.d), verificationScale())
}

/** How fast labels are looked at here, and how many of them. */
export function verificationScale(): VerificationScale {
  const { addon } = loadCpuAddon()
  return addon?.Verification === undefined ? typescriptScale : nativeScale(addon.versions().threads)
}
