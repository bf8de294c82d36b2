import { defineVariant } from '../declaration'

export default defineVariant({
  id: 'pruned',
  title: 'Pruned',
  summary: 'Exact, skips distances by bounds: a tree of points for few features, groups of points for more.',
  from: 'ours',
  engines: { cpu: { deterministic: true, exact: true } },
  // Lists of candidates for groups of points, at worst all k for every 32.
  workspaceBytes: ({ n, k }) => (n * k) / 8,
})
