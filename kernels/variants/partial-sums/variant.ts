import { defineVariant } from '../declaration'

export default defineVariant({
  id: 'partial-sums',
  title: 'Partial sums',
  summary: '512 workers keep private sums over slices of the points, then a reduction over the workers.',
  from: 'CudaModule3',
  engines: {
    cuda: { deterministic: true, exact: true },
    webgpu: { deterministic: true, exact: true },
  },
})
