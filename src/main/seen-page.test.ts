import { expect, it } from 'vitest'
import { assureSeen, type Seen } from './seen-page'

const atOnce = [0, 0, 0]

/** A window whose page answers these states, one after the other. */
function windowOf(states: readonly (string | Error)[], more: Partial<Seen> = {}) {
  const left = [...states]
  let shown = 0
  const window: Seen = {
    isDestroyed: () => false,
    isVisible: () => true,
    isMinimized: () => false,
    show: () => void shown++,
    webContents: {
      executeJavaScript: async () => {
        const state = left.shift() ?? 'visible'
        if (state instanceof Error) throw state
        return state
      },
    },
    ...more,
  }
  return { window, shown: () => shown, asked: () => states.length - left.length }
}

it('a page that takes itself for hidden has its window shown again, until it is seen', async () => {
  const { window, shown, asked } = windowOf(['hidden', 'hidden', 'visible'])
  await assureSeen(window, atOnce)
  expect([shown(), asked()]).toEqual([2, 3])
})

it('a page that is seen, gone, or hidden by the person is left alone', async () => {
  const cases = [
    windowOf(['visible', 'hidden']),
    windowOf([new Error('gone'), 'hidden']),
    windowOf(['hidden'], { isMinimized: () => true }),
    windowOf(['hidden'], { isVisible: () => false }),
    windowOf(['hidden'], { isDestroyed: () => true }),
  ]
  for (const { window } of cases) await assureSeen(window, atOnce)
  expect(cases.map(({ shown }) => shown())).toEqual([0, 0, 0, 0, 0])
})
