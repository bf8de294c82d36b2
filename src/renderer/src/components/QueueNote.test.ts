import { mount } from '@vue/test-utils'
import { expect, it } from 'vitest'
import QueueNote from './QueueNote.vue'

const waiting = [{ id: 1, kind: 'open', token: 'wine', name: 'wine.csv' }] as const
const wordsOf = (held: boolean, givesUp: boolean) =>
  mount(QueueNote, { props: { waiting, held, givesUp, until: 'the run' } }).text()

it('says why something waits, and what it costs to carry it out now', () => {
  expect(wordsOf(false, false)).toMatch(/^Waiting until the run is done:.*Take back$/)
  expect(wordsOf(true, false)).toMatch(/^Waiting, because the last run failed:.*Go on with these$/)
  expect(wordsOf(true, true)).toMatch(
    /^Waiting, because the run that was cut off can go on:.*Give it up for these$/,
  )
})
