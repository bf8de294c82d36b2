import { defineVariant } from '../declaration'

export default defineVariant({
  id: 'shared-centroids',
  title: 'Shared centroids',
  summary: 'One thread per point, centroids staged in shared memory, atomic sums.',
  from: 'Goldsborough, CUDA 2',
  engines: { webgpu: { deterministic: true, exact: true } },
})
