import type { RunShape } from '@shared/variant'
import { defineVariant } from '../declaration'
import { tileBoundsPay } from './cuda-bounds'
import { regimes as cpu } from './regimes.cpu'
import { regimes as cuda } from './regimes.cuda'
import { regimes as webgpu } from './regimes.webgpu'

/** On the processor boxes leave out most distances where features are few; figures: docs/performance.md. */
function shareOnCpu({ n, d, k }: RunShape): number {
  if (d <= 3) return k >= 64 ? (n >= 30_000 ? 0.3 : 1) : k >= 16 && n >= 100_000 ? 0.6 : 1
  return d <= 5 && k >= 64 && n >= 30_000 ? 0.5 : 1
}

/** What whole runs by bounds took of those without on clustered data. */
function shareOnCuda(shape: RunShape): number {
  return tileBoundsPay(shape) ? 0.4 : 1
}

export default defineVariant({
  id: 'fused',
  title: 'Fused',
  summary:
    'The fastest exact k-means here: assignment and sums in one pass over the points, at the hardware limit; distances that cannot matter are left out.',
  from: 'ours',
  engines: {
    cpu: { deterministic: true, exact: true },
    cuda: { deterministic: true, exact: true },
    webgpu: { deterministic: true, exact: true },
  },
  regimes: { cpu, cuda, webgpu },
  shareOfCalibrated: (engine, shape) =>
    engine === 'cpu' ? shareOnCpu(shape) : engine === 'cuda' ? shareOnCuda(shape) : 1,
})
