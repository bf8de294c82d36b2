import { defineVariant } from '../declaration'

export default defineVariant({
  id: 'openmp',
  title: 'OpenMP',
  summary: 'Assignment and update parallel over points.',
  from: 'Di Dio; MineBench in Dhanasekaran & Rubin',
  engines: { cpu: { deterministic: true, exact: true } },
})
