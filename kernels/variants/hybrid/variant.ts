import { defineVariant } from '../declaration'

export default defineVariant({
  id: 'hybrid',
  title: 'Hybrid',
  summary: 'Assignment on the device without shared memory, update in one pass on the processor.',
  from: 'CudaModule2',
  engines: { webgpu: { deterministic: true, exact: true } },
})
