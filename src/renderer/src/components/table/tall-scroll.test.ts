import { mount } from '@vue/test-utils'
import { defineComponent, h, ref, shallowRef, type Ref } from 'vue'
import { describe, expect, it } from 'vitest'
import { useTallScroll } from './tall-scroll'

type Tall = ReturnType<typeof useTallScroll>

/** A frame of 508 pixels: 20 rows of 24 below a header of 28. */
function tallOf(count: Ref<number>): { tall: Tall; frame: HTMLElement } {
  const frame = document.createElement('div')
  Object.defineProperty(frame, 'clientHeight', { value: 508 })
  let tall: Tall | undefined
  const held = shallowRef(frame)
  mount(
    defineComponent(() => {
      tall = useTallScroll(held, { count: () => count.value, pixels: 24, header: 28 })
      return () => h('p')
    }),
  )
  if (!tall) throw new Error('nothing was set up')
  return { tall, frame }
}

function scrollTo(tall: Tall, frame: HTMLElement, top: number): void {
  frame.scrollTop = top
  tall.scrolled()
}

describe('rows that scroll', () => {
  it('of a file that fits into a page are where its pixels are', () => {
    const { tall, frame } = tallOf(ref(1000))
    expect(tall.page.value).toBe(24_000)
    scrollTo(tall, frame, 2412)
    expect(tall.sight.value).toEqual({ first: 100, end: 122, shift: -12 })
  })

  it('of ten million rows are all reached, though no page is as high', () => {
    const count = ref(10_000_000)
    const { tall, frame } = tallOf(count)
    expect(tall.page.value).toBeLessThan(10_000_000)
    scrollTo(tall, frame, tall.page.value - tall.view.value)
    expect(tall.sight.value.end).toBe(10_000_000)
    tall.show(1_234_567)
    expect(tall.sight.value.first).toBe(1_234_567)
    // The frame tells of it with the next frame: nothing moves.
    tall.scrolled()
    expect(tall.sight.value.first).toBe(1_234_567)
    tall.wheel(new WheelEvent('wheel', { deltaY: 48 }))
    expect(tall.sight.value.first).toBe(1_234_569)
  })

  it('scroll no further than it takes', () => {
    const { tall } = tallOf(ref(1000))
    tall.show(10)
    expect(tall.sight.value.first).toBe(0)
    tall.show(25)
    expect(tall.sight.value.first).toBe(6)
    tall.show(3)
    expect(tall.sight.value.first).toBe(3)
  })

  it('may be none, or fewer than there were', () => {
    const count = ref(1000)
    const { tall } = tallOf(count)
    tall.show(999)
    count.value = 5
    expect(tall.sight.value).toEqual({ first: 0, end: 5, shift: 0 })
    count.value = 0
    expect(tall.sight.value.end).toBe(0)
  })
})
