import { mount, type VueWrapper } from '@vue/test-utils'
import { afterEach, expect, it } from 'vitest'
import PanelSeparator from './PanelSeparator.vue'

let separator: VueWrapper
afterEach(() => separator.unmount())

function show(collapsed: boolean) {
  separator = mount(PanelSeparator, {
    props: { label: 'Settings panel', side: 'left', width: 264, collapsed, least: 232, most: 480 },
  })
  const element = separator.element as HTMLElement
  element.setPointerCapture = () => undefined
  return element
}

function drag(element: HTMLElement, ...xs: readonly number[]): void {
  const [from = 0, ...to] = xs
  element.dispatchEvent(new MouseEvent('pointerdown', { clientX: from }))
  for (const x of to) element.dispatchEvent(new MouseEvent('pointermove', { clientX: x }))
  element.dispatchEvent(new Event('lostpointercapture'))
}

it('brings a collapsed panel back when it is dragged', async () => {
  const element = show(true)
  expect(element.title).toContain('bring it back')
  drag(element, 2, 60)
  expect(separator.emitted('toggle')).toBeUndefined()
  drag(element, 2, 180)
  expect(separator.emitted('toggle')).toHaveLength(1)
})

it('puts a panel away that is dragged to the edge, and resizes it on the way', () => {
  const element = show(false)
  drag(element, 264, 300, 20)
  expect(separator.emitted('resize')).toEqual([[300]])
  expect(separator.emitted('toggle')).toHaveLength(1)
})

it('does nothing at a click', () => {
  const element = show(false)
  drag(element, 264, 265)
  expect(separator.emitted()).not.toHaveProperty('resize')
})
