import { defineVariant } from '../declaration'

export default defineVariant({
  id: 'irregular-reduction',
  title: 'Irregular reduction',
  summary: 'Members of a cluster made neighbours by atomic counters, added in log steps; points as columns.',
  from: 'Dhanasekaran & Rubin, GPU only',
  engines: {
    cuda: { deterministic: true, exact: true },
    webgpu: { deterministic: true, exact: true },
  },
})
