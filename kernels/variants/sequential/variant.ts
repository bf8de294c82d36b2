import { defineVariant } from '../declaration'

export default defineVariant({
  id: 'sequential',
  title: 'Sequential',
  summary: 'One thread, textbook loops, one pass for the sums.',
  from: 'all studies',
  engines: { cpu: { deterministic: true, exact: true } },
  isSerial: true,
})
