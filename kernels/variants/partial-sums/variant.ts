import { defineVariant } from '../declaration'

export default defineVariant({
  id: 'partial-sums',
  title: 'Partial sums',
  summary: 'Workers, usually 512, keep private sums over slices of the points, then a reduction over them.',
  from: 'CudaModule3',
  engines: {
    cuda: { deterministic: true, exact: true },
    webgpu: { deterministic: true, exact: true },
  },
})
