import { expect, it } from 'vitest'
import { Progress } from './progress'

function terminal(isTTY: boolean) {
  const pieces: string[] = []
  const clock = { ms: 0 }
  const out = { write: (text: string) => pieces.push(text), isTTY, columns: 20 }
  return { pieces, clock, progress: new Progress(out, () => clock.ms) }
}

it('a terminal has one line that changes, no longer than it is wide, taken away at the end', () => {
  const { pieces, clock, progress } = terminal(true)
  progress.update('first')
  progress.update('too soon')
  clock.ms = 150
  progress.update('x'.repeat(50))
  progress.clear()
  expect(pieces).toEqual(['\r\x1b[Kfirst', `\r\x1b[K${'x'.repeat(19)}`, '\r\x1b[K'])
})

it('a file gets a line now and then, and nothing from a short run', () => {
  const { pieces, clock, progress } = terminal(false)
  progress.update('at once')
  clock.ms = 6000
  progress.update('after a while')
  clock.ms = 7000
  progress.update('too soon')
  progress.clear()
  expect(pieces).toEqual(['after a while\n'])
})
