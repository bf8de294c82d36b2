import { defineVariant } from '../declaration'

const bytesPerNumber = 4

export default defineVariant({
  id: 'hybrid-parallel',
  title: 'Hybrid, parallel',
  summary: 'Assignment on the device, labels back, parallel reduction on the processor.',
  from: 'Dhanasekaran & Rubin, hybrid',
  engines: {
    cuda: { deterministic: true, exact: true },
    webgpu: { deterministic: true, exact: true },
  },
  hostDeviceBytesPerIteration: ({ n, d, k }) => (n + k * d) * bytesPerNumber,
})
