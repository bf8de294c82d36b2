import { defineVariant } from '../declaration'

const bytesPerNumber = { float32: 4, float64: 8 } as const

export default defineVariant({
  id: 'eigen',
  title: 'Eigen',
  summary: 'Whole-matrix expressions: each column replicated k times, row-wise argmin.',
  from: 'Goldsborough',
  engines: { cpu: { deterministic: true, exact: true } },
  // A replica of each feature, up to eight of them; see README.md.
  workspaceBytes: ({ n, d, k }, precision = 'float32') => (d > 8 ? 0 : d * n * k * bytesPerNumber[precision]),
  isSerial: true,
})
