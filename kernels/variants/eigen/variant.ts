import { defineVariant } from '../declaration'

export default defineVariant({
  id: 'eigen',
  title: 'Eigen',
  summary: 'Whole-matrix expressions: each column replicated k times, row-wise argmin.',
  from: 'Goldsborough',
  engines: { cpu: { deterministic: true, exact: true } },
  isSerial: true,
})
