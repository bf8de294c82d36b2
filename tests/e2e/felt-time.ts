import type { Lab } from './harness'
import { ask } from './bridge'

/** What a person at the page feels, by its own clock: what steers it from out here takes its time on a busy machine. */
interface PageWithClock {
  pressed?: number
  shown?: number
}

const tripsWatched = 3

/**
 * The slowest of a few empty ways from the page to the engine host and back, to the next frame, in ms: what the
 * machine, which may be at other work, takes for an answer behind which there is no work at all.
 */
export async function slowestTripMs(lab: Lab): Promise<number> {
  let slowest = 0
  for (let trip = 0; trip < tripsWatched; trip++) {
    const began = performance.now()
    await ask(lab, 'run.cancel', { runId: 'none' })
    await lab.page.evaluate(() => new Promise((drawn) => requestAnimationFrame(drawn)))
    slowest = Math.max(slowest, performance.now() - began)
  }
  return slowest
}

/** Clicks and answers how long after the click an element's `data-state` said `state`, in ms. */
export async function feltMs(lab: Lab, click: string, element: string, state: string): Promise<number> {
  await lab.at(element).evaluate((shown, wanted) => {
    const page = window as PageWithClock
    delete page.shown
    document.addEventListener('click', ({ timeStamp }) => (page.pressed = timeStamp), {
      capture: true,
      once: true,
    })
    const watch = new MutationObserver(() => {
      if (shown.getAttribute('data-state') !== wanted) return
      page.shown = performance.now()
      watch.disconnect()
    })
    watch.observe(shown, { attributeFilter: ['data-state'] })
  }, state)
  await lab.at(click).click()
  await lab.page.waitForFunction(() => (window as PageWithClock).shown !== undefined)
  return await lab.page.evaluate(() => {
    const { pressed, shown } = window as PageWithClock
    return pressed === undefined || shown === undefined ? Number.NaN : shown - pressed
  })
}
