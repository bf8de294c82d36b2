import { mount, type VueWrapper } from '@vue/test-utils'
import { afterEach, expect, it } from 'vitest'
import { nextTick } from 'vue'
import { summary } from '../../test/fixtures'
import { freshWindow } from '../../test/mount'
import { useConfigStore } from '@/stores/config'
import EngineSettings from './EngineSettings.vue'

let section: VueWrapper
afterEach(() => section.unmount())

it('asks for the number of workers where the chosen variant has them, and says what is wrong with it', async () => {
  const { pinia } = freshWindow({})
  const config = useConfigStore()
  config.adopt(summary())
  section = mount(EngineSettings, { global: { plugins: [pinia] } })
  const field = () => section.find('[data-testid="workers"]')
  expect(field().exists()).toBe(false)
  config.draft.variant = 'partial-sums'
  await nextTick()
  expect(field().attributes('placeholder')).toBe('512')
  await field().setValue('0')
  expect(section.text()).toContain('The number of workers is 0; give 1 or more.')
  expect(config.valid).toBe(false)
  await field().setValue('7')
  expect(config.config.workers).toBe(7)
  config.draft.variant = 'fused'
  await nextTick()
  expect(field().exists()).toBe(false)
  expect(config.config.workers).toBeNull()
})

it('offers float64 where the chosen variant has it', async () => {
  const { pinia } = freshWindow({})
  const config = useConfigStore()
  config.adopt(summary())
  section = mount(EngineSettings, { global: { plugins: [pinia] } })
  const field = () => section.find<HTMLSelectElement>('[data-testid="precision"]')
  expect(field().exists()).toBe(false)
  config.draft.variant = 'sequential'
  await nextTick()
  expect(field().element.value).toBe('float32')
  await field().setValue('float64')
  expect(config.config).toMatchObject({ variant: 'sequential', precision: 'float64' })
  config.draft.variant = 'eigen'
  await nextTick()
  expect(config.config.precision).toBe('float64')
  config.draft.variant = 'fused'
  await nextTick()
  expect(field().exists()).toBe(false)
  expect(config.config.precision).toBe('float32')
})
