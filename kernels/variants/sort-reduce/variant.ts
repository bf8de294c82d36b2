import { defineVariant } from '../declaration'

export default defineVariant({
  id: 'sort-reduce',
  title: 'Sort and reduce',
  summary: 'Point indices sorted by label, coordinates gathered in that order, segmented reduction.',
  from: 'CudaModule',
  engines: {
    cuda: { deterministic: true, exact: true },
    webgpu: { deterministic: true, exact: true },
  },
})
