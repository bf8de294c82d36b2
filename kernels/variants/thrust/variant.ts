import { defineVariant } from '../declaration'

export default defineVariant({
  id: 'thrust',
  title: 'Thrust',
  summary: 'Global atomics on Thrust containers and algorithms.',
  from: 'Goldsborough, Thrust',
  engines: { cuda: { deterministic: false, exact: true } },
})
