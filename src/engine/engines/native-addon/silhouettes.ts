import type { SilhouetteProvider } from '../engine'
import type { NativeSilhouettes } from '../native'

/** An addon's silhouettes as an engine offers them. */
export function silhouettesOn(native: NativeSilhouettes, trialWork: number): SilhouetteProvider {
  return {
    trialWork,
    compute: (x, d, labels, k, values) => native.compute(x, d, labels, k, values),
    share: () => native.share(),
    cancel: () => native.cancel(),
  }
}
