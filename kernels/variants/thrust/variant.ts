import { defineVariant } from '../declaration'

export default defineVariant({
  id: 'thrust',
  title: 'Thrust',
  summary: 'The kernel of global-atomics on Thrust containers, which thrust::fill clears.',
  from: 'Goldsborough, Thrust',
  engines: { cuda: { deterministic: false, exact: true } },
})
