/** A fresh Pinia and a fake lab for one test. */
import { createPinia, setActivePinia, type Pinia } from 'pinia'
import { fakeLab, type FakeLab, type FakeOptions } from './fake-lab'

export function freshWindow(
  answers: NonNullable<FakeOptions['answers']> = {},
  rows = 150,
): { lab: FakeLab; pinia: Pinia } {
  const lab = fakeLab({ rows, answers })
  Object.defineProperty(window, 'lab', { value: lab, configurable: true })
  const pinia = createPinia()
  setActivePinia(pinia)
  return { lab, pinia }
}

export const channelsOf = (lab: FakeLab): string[] => lab.asked.map(({ channel }) => channel)
