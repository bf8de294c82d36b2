import { defineVariant } from '../declaration'

export default defineVariant({
  id: 'tree-reduction',
  title: 'Tree reduction',
  summary: 'Per-block tree reduction for each cluster, then a coarse reduction over blocks.',
  from: 'Goldsborough, CUDA 3',
  engines: {
    cuda: { deterministic: true, exact: true },
    webgpu: { deterministic: true, exact: true },
  },
})
