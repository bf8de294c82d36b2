import { defineVariant } from '../declaration'

export default defineVariant({
  id: 'pruned',
  title: 'Pruned',
  summary: 'Exact, skips distances by bounds: a filtered tree of points for few features.',
  from: 'ours',
  engines: { cpu: { deterministic: true, exact: true } },
})
