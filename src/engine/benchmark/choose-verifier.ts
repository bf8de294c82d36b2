import type { AnyPoints } from '../engines/engine'
import { loadCpuAddon } from '../engines/native'
import { nativeVerifier } from './native-verifier'
import { nativeScale, typescriptScale, type VerificationScale } from './sampling'
import { typescriptVerifier } from './typescript-verifier'
import type { Verifier } from './verifier'

/** The native one, or its TypeScript twin where the addon was not built, and for points in float64. */
export function verifierOf(points: AnyPoints): Verifier {
  const native = loadCpuAddon().addon?.Verification
  const { x, n, d } = points
  return native === undefined || x instanceof Float64Array
    ? typescriptVerifier(points)
    : nativeVerifier({ ...points, x }, new native(x, n, d), verificationScale())
}

/** How fast labels are looked at here, and how many of them. */
export function verificationScale(): VerificationScale {
  const { addon } = loadCpuAddon()
  return addon?.Verification === undefined ? typescriptScale : nativeScale(addon.versions().threads)
}
