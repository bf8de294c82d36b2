import type { RunShape } from '@shared/variant'
import { defineVariant } from '../declaration'
import { regimes as cpu } from './regimes.cpu'
import { hasBetterTable, regimes as cuda } from './regimes.cuda'

/** What whole runs took of those of `fused` on clustered data; null where it was not less. See README.md, "Figures". */
function shareOnCuda(shape: RunShape): number | null {
  const { n, d, k } = shape
  if (k < 100 || n * k * (d + 3) < 1e9 || hasBetterTable(shape)) return null
  if (d <= 32) return 0.4
  return d <= 256 && k <= 4096 && n * k * d >= 1e10 ? 0.7 : null
}

/** On the processor, in up to three features: trees, or lists of boxes where centroids are few. */
function shareInSpace(n: number, k: number): number | null {
  if (k >= 64) return n >= 30_000 ? 0.25 : null
  return k > 1 && n >= 100_000 ? 0.5 : null
}

export default defineVariant({
  id: 'pruned',
  title: 'Pruned',
  summary:
    'Exact, skips distances by bounds: on the processor of trees, boxes and groups of points, on CUDA of tiles of points, or of single points where features are many.',
  from: 'ours',
  engines: {
    cpu: { deterministic: true, exact: true },
    cuda: { deterministic: true, exact: true },
  },
  regimes: { cpu, cuda },
  shareOfFused: (engine, { n, d, k }) => {
    if (engine === 'cuda') return shareOnCuda({ n, d, k })
    if (d <= 3) return shareInSpace(n, k)
    return n >= 50_000 && k >= 100 ? 0.5 : null
  },
  // Lists of candidates for groups of points, at worst all k for every 32.
  workspaceBytes: ({ n, k }) => (n * k) / 8,
})
