import { mount } from '@vue/test-utils'
import { expect, it } from 'vitest'
import type { Hold } from '@/text/queue'
import QueueNote from './QueueNote.vue'

const waiting = [{ id: 1, kind: 'open', token: 'wine', name: 'wine.csv' }] as const
const wordsOf = (held: Hold | null) => mount(QueueNote, { props: { waiting, held, until: 'the run' } }).text()

it('says why something waits, and what it costs to carry it out now', () => {
  expect(wordsOf(null)).toMatch(/^Waiting until the run is done:.*Take back$/)
  expect(wordsOf('failed')).toMatch(/^Waiting, because the last run failed:.*Go on with these$/)
  expect(wordsOf('broken')).toMatch(
    /^Waiting, because the run that was cut off can go on:.*Give it up for these$/,
  )
  expect(wordsOf('result')).toMatch(/^Waiting, because the new result would leave the screen:.*Open it now$/)
})
