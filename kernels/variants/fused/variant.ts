import { defineVariant } from '../declaration'
import { regimes as cpu } from './regimes.cpu'
import { regimes as cuda } from './regimes.cuda'
import { regimes as webgpu } from './regimes.webgpu'

export default defineVariant({
  id: 'fused',
  title: 'Fused',
  summary:
    'Assignment and sums in one pass over the points, at the hardware limit; distances that cannot matter are left out.',
  from: 'ours',
  engines: {
    cpu: { deterministic: true, exact: true },
    cuda: { deterministic: true, exact: true },
    webgpu: { deterministic: true, exact: true },
  },
  regimes: { cpu, cuda, webgpu },
})
