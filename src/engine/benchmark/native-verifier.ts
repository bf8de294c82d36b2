import { cancelled } from '@shared/errors'
import type { Points } from '../engines/engine'
import type { NativeVerification } from '../engines/native'
import { throwIfAborted } from '../slices'
import { rowsToLookAt, slackOf, type Centroids } from './exactness'
import type { Verifier } from './verifier'
import { pointsChecked, type VerificationScale } from './sampling'

/** On all threads, beside the event loop (kernels/common/verification.hpp). */
export function nativeVerifier(
  { n, d }: Points,
  native: NativeVerification,
  scale: VerificationScale,
): Verifier {
  const clustersOf = (centroids: Centroids) => centroids.length / d
  return {
    ranges: (signal) => answerOf(native, signal, () => native.ranges()),
    sample: async (centroids, signal) => {
      const k = clustersOf(centroids)
      const rows = rowsToLookAt(n, pointsChecked({ n, d, k }, scale))
      const nearest = new Float64Array(rows?.length ?? n)
      const labels = new Int32Array(nearest.length)
      await answerOf(native, signal, () => native.nearest(float64(centroids), k, rows, nearest, labels))
      return { rows, nearest, labels }
    },
    inexactLabels: (centroids, { rows, nearest }, labels, unit, signal) => {
      const { factor, least } = slackOf(d, unit)
      const k = clustersOf(centroids)
      return answerOf(native, signal, () =>
        native.inexact(float64(centroids), k, rows, nearest, labels, factor, least),
      )
    },
    fartherLabels: (centroids, labels, others, unit, signal) => {
      const { factor, least } = slackOf(d, unit)
      const k = clustersOf(centroids)
      return answerOf(native, signal, () =>
        native.farther(float64(centroids), k, labels, others, factor, least),
      )
    },
    openMembers: async (centroids, unit, signal) => {
      const { factor, least } = slackOf(d, unit)
      const k = clustersOf(centroids)
      const open = new Float64Array(k)
      await answerOf(native, signal, () => native.openMembers(float64(centroids), k, open, factor, least))
      return open
    },
    memberSums: async (labels, k, signal) => {
      const sums = new Float64Array(k * d)
      const counts = new Float64Array(k)
      await answerOf(native, signal, () => native.sums(labels, k, sums, counts))
      return { sums, counts }
    },
    sameLabels: (a, b, signal) => answerOf(native, signal, () => native.same(a, b)),
    close: () => native.close(),
  }
}

/** Waits for its end even when cancelled: the arrays are in use until then, which is for a few blocks of points. */
async function answerOf<T>(
  native: NativeVerification,
  signal: AbortSignal,
  call: () => Promise<T | null>,
): Promise<T> {
  throwIfAborted(signal)
  const cancel = () => native.cancel()
  signal.addEventListener('abort', cancel, { once: true })
  try {
    const answer = await call()
    if (answer === null) throw cancelled()
    return answer
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

function float64(centroids: Centroids): Float64Array {
  return centroids instanceof Float64Array ? centroids : Float64Array.from(centroids)
}
