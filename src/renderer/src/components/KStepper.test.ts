import { mount, type VueWrapper } from '@vue/test-utils'
import { afterEach, expect, it } from 'vitest'
import KStepper from './KStepper.vue'

let stepper: VueWrapper
afterEach(() => stepper.unmount())

function show(k: string, rows = 150) {
  stepper = mount(KStepper, {
    props: {
      modelValue: k,
      wrong: false,
      rows,
      'onUpdate:modelValue': (modelValue: string) => stepper.setProps({ modelValue }),
    },
  })
}
const at = (id: string) => stepper.find(`[data-testid="${id}"]`)
const k = () => (stepper.props() as { modelValue: string }).modelValue

it('steps by buttons and by keys, within the rows of the file', async () => {
  show('3', 8)
  await at('k-more').trigger('click')
  expect(k()).toBe('4')
  await at('k').trigger('keydown', { key: 'ArrowUp' })
  await at('k').trigger('keydown', { key: 'PageUp' })
  expect(k()).toBe('8')
  expect(at('k-more').attributes('disabled')).toBeDefined()
  await at('k').trigger('keydown', { key: 'PageDown' })
  await at('k').trigger('keydown', { key: 'PageDown' })
  expect(k()).toBe('1')
  expect(at('k-fewer').attributes('disabled')).toBeDefined()
})

it('slides over the usual numbers, and over more where there are more', async () => {
  show('3')
  expect(at('k-slider').attributes('max')).toBe('20')
  await at('k-slider').setValue('7')
  expect(k()).toBe('7')
  await at('k').setValue('120')
  expect(at('k-slider').attributes('max')).toBe('150')
})

it('leaves what is no number to the sentence about it', async () => {
  show('many')
  await at('k').trigger('keydown', { key: 'ArrowUp' })
  expect(k()).toBe('many')
  expect(at('k-more').attributes('disabled')).toBeDefined()
})
