import { defineVariant } from '../declaration'

export default defineVariant({
  id: 'hybrid-parallel',
  title: 'Hybrid, parallel',
  summary: 'Assignment on the device, labels back, parallel reduction on the processor.',
  from: 'Dhanasekaran & Rubin, hybrid',
  engines: { webgpu: { deterministic: true, exact: true } },
})
