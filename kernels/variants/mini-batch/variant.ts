import { defineVariant } from '../declaration'

export default defineVariant({
  id: 'mini-batch',
  title: 'Mini-batch',
  summary: 'Approximate: every iteration looks at a few points drawn at random.',
  from: 'Sculley',
  engines: { cpu: { deterministic: true, exact: false } },
})
