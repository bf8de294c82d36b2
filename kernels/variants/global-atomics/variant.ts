import { defineVariant } from '../declaration'

export default defineVariant({
  id: 'global-atomics',
  title: 'Global atomics',
  summary: 'One thread per point, centroids in global memory, atomic sums.',
  from: 'Goldsborough, CUDA 1',
  engines: {
    cuda: { deterministic: false, exact: true },
    webgpu: { deterministic: true, exact: true },
  },
})
