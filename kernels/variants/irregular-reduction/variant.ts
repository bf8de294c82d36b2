import { defineVariant } from '../declaration'

export default defineVariant({
  id: 'irregular-reduction',
  title: 'Irregular reduction',
  summary:
    'One kernel: assignment, members made neighbours by atomic counters, log steps; points as columns.',
  from: 'Dhanasekaran & Rubin, GPU only',
  engines: {
    cuda: { deterministic: true, exact: true },
    webgpu: { deterministic: true, exact: true },
  },
})
