import { defineVariant } from '../declaration'

export default defineVariant({
  id: 'tbb',
  title: 'oneTBB',
  summary: 'Assignment and update parallel over points, on oneTBB.',
  from: 'Dhanasekaran & Rubin',
  engines: { cpu: { deterministic: true, exact: true } },
})
