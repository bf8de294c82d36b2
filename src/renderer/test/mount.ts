/** A fresh Pinia and a fake lab for one test. */
import { createPinia, setActivePinia, type Pinia } from 'pinia'
import { fakeLab, type FakeLab, type FakeOptions } from './fake-lab'

/** What jsdom lacks: here every row that is watched counts as in sight. */
class AllInSight implements IntersectionObserver {
  readonly root = null
  readonly rootMargin = ''
  readonly scrollMargin = ''
  readonly thresholds = []
  readonly #callback: IntersectionObserverCallback

  constructor(callback: IntersectionObserverCallback) {
    this.#callback = callback
  }

  observe(target: Element): void {
    this.#callback([{ target, isIntersecting: true } as IntersectionObserverEntry], this)
  }

  unobserve(): void {
    // Nothing is kept.
  }

  disconnect(): void {
    // Nothing is kept.
  }

  takeRecords(): IntersectionObserverEntry[] {
    return []
  }
}

export function freshWindow(
  answers: NonNullable<FakeOptions['answers']> = {},
  rows = 150,
): { lab: FakeLab; pinia: Pinia } {
  const lab = fakeLab({ rows, answers })
  Object.defineProperty(window, 'lab', { value: lab, configurable: true })
  window.IntersectionObserver ??= AllInSight
  const pinia = createPinia()
  setActivePinia(pinia)
  return { lab, pinia }
}

export const channelsOf = (lab: FakeLab): string[] => lab.asked.map(({ channel }) => channel)
