import { defineVariant } from '../declaration'

export default defineVariant({
  id: 'shared-centroids',
  title: 'Shared centroids',
  summary: 'One thread per point, centroids staged in shared memory, atomic sums.',
  from: 'Goldsborough, CUDA 2',
  engines: {
    cuda: { deterministic: false, exact: true },
    webgpu: { deterministic: true, exact: true },
  },
})
