import { defineVariant } from '../declaration'

export default defineVariant({
  id: 'pruned',
  title: 'Pruned',
  summary:
    'Exact, skips distances by bounds: on the processor of trees and groups of points, on CUDA of tiles of points.',
  from: 'ours',
  engines: {
    cpu: { deterministic: true, exact: true },
    cuda: { deterministic: true, exact: true },
  },
  shareOfFused: (engine, { n, d, k }) => {
    if (engine === 'cuda') return n * k * (d + 3) >= 1e9 && d <= 32 && k >= 100 ? 0.4 : null
    if (d <= 3) return n >= 30_000 && k >= 64 ? 0.35 : null
    return n >= 50_000 && k >= 100 ? 0.5 : null
  },
  // Lists of candidates for groups of points, at worst all k for every 32.
  workspaceBytes: ({ n, k }) => (n * k) / 8,
})
