import { flushPromises, mount, type VueWrapper } from '@vue/test-utils'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { defineComponent, h, ref } from 'vue'
import { useVirtualParts } from './virtual-parts'

const pixels = 24
const height = 240

let list: VueWrapper
let parts: ReturnType<typeof useVirtualParts>

beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(height)
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(height)
})
afterEach(() => {
  list.unmount()
  vi.restoreAllMocks()
})

/** A frame of ten parts' room, with rooms that add up to all. */
async function show(count: number, more: { header?: number; leading?: () => number; across?: boolean } = {}) {
  const Frame = defineComponent({
    props: { count: { type: Number, required: true } },
    setup(props) {
      const frame = ref<HTMLElement | null>(null)
      parts = useVirtualParts(frame, { count: () => props.count, pixels, spare: 2, ...more })
      return () => h('div', { ref: frame })
    },
  })
  list = mount(Frame, { props: { count } })
  const room = (more.leading?.() ?? 0) + (more.header ?? 0) + count * pixels
  vi.spyOn(list.element, 'scrollHeight', 'get').mockReturnValue(room)
  vi.spyOn(list.element, 'scrollWidth', 'get').mockReturnValue(room)
  await flushPromises()
}

async function scroll(to: number, edge: 'scrollTop' | 'scrollLeft' = 'scrollTop'): Promise<void> {
  list.element[edge] = to
  list.element.dispatchEvent(new Event('scroll'))
  await flushPromises()
}

describe('the rows of a long table', () => {
  it('are drawn only where they can be seen, and the rest keeps its room', async () => {
    await show(300)
    for (const top of [0, 1, 5000, 300 * pixels - height]) {
      await scroll(top)
      const { first, end, before, after } = parts.sight.value
      expect(end - first).toBeLessThanOrEqual(height / pixels + 5)
      expect(first * pixels).toBeLessThanOrEqual(top)
      expect(end * pixels).toBeGreaterThanOrEqual(top + height)
      expect(before + after + (end - first) * pixels).toBe(300 * pixels)
    }
  })

  it.each([3, 0])('are all drawn where %i fit', async (count) => {
    await show(count)
    expect(parts.sight.value).toEqual({ first: 0, end: count, before: 0, after: 0 })
  })

  it('are found again after a change that leaves fewer of them', async () => {
    await show(3000)
    await scroll(2900 * pixels)
    await list.setProps({ count: 2 })
    expect(parts.sight.value).toEqual({ first: 0, end: 2, before: 0, after: 0 })
  })

  it('begin after what stands before them', async () => {
    await show(300, { across: true, leading: () => 480 })
    await scroll(480, 'scrollLeft')
    expect(parts.sight.value).toMatchObject({ first: 0, end: 12 })
    await scroll(480 + 100 * pixels, 'scrollLeft')
    expect(parts.sight.value).toMatchObject({ first: 98, end: 112 })
  })
})

describe('a row that is wanted', () => {
  it('is drawn at once, and the frame scrolls no further than it takes', async () => {
    await show(300, { header: pixels })
    const seen: number[] = []
    for (const row of [5, 8, 9, 150, 299, 298, 0]) {
      parts.show(row)
      expect(parts.sight.value.first).toBeLessThanOrEqual(row)
      expect(parts.sight.value.end).toBeGreaterThan(row)
      seen.push(list.element.scrollTop / pixels)
    }
    // Ten rows' room, of which the header covers one.
    expect(seen).toEqual([0, 0, 1, 142, 291, 291, 0])
  })
})
