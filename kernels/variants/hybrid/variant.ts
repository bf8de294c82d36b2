import { defineVariant } from '../declaration'

const bytesPerNumber = 4

export default defineVariant({
  id: 'hybrid',
  title: 'Hybrid',
  summary: 'Assignment on the device without shared memory, update in one pass on the processor.',
  from: 'CudaModule2',
  engines: {
    cuda: { deterministic: true, exact: true },
    webgpu: { deterministic: true, exact: true },
  },
  hostDeviceBytesPerIteration: ({ n, d, k }) => (n + k * d) * bytesPerNumber,
})
