import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { LabError } from '@shared/errors'
import { freshWindow } from '../../test/mount'
import { useAppStore } from './app'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const givenUp = new LabError('engine-lost', 'engine-given-up', 'It ended several times.')

function lostAndBack(note?: string) {
  freshWindow()
  const app = useAppStore()
  app.hostChanged({ state: 'lost', reason: 'The engine process ended.' })
  app.hostChanged({ state: 'ready', pid: 2, ...(note !== undefined && { note }) })
  return app
}

describe('the banner', () => {
  it('claims data only where a file was open', () => {
    const app = lostAndBack()
    expect(app.banner?.sentence).toBe('The engine process was restarted.')
    app.hostChanged({ state: 'lost', reason: 'The engine process ended.' })
    app.hostChanged({ state: 'ready', pid: 3, files: 1 })
    expect(app.banner?.sentence).toContain('the data loaded again; what is on screen was kept')
  })

  it('gives way when the engine process is given up, which has a notice of its own', () => {
    const app = lostAndBack()
    app.hostChanged({ state: 'lost', reason: 'The engine process ended.' })
    app.hostChanged({ state: 'failed', error: givenUp.report() })
    expect(app.banner).toBeNull()
    app.announce('The list of recent files begins anew.')
    app.hostChanged({ state: 'lost', reason: 'Started again.' })
    expect(app.banner?.sentence).toBe('Started again.')
  })

  it('tells of a restart and goes by itself after eight seconds', () => {
    const app = lostAndBack()
    expect(app.banner).toMatchObject({ tone: 'notice', sentence: expect.stringContaining('was restarted') })
    vi.advanceTimersByTime(7900)
    expect(app.banner).not.toBeNull()
    vi.advanceTimersByTime(200)
    expect(app.banner).toBeNull()
  })

  it('leaves one that came after it alone', () => {
    const app = lostAndBack()
    app.hostChanged({ state: 'lost', reason: 'The engine process ended once more.' })
    vi.advanceTimersByTime(60_000)
    expect(app.banner?.sentence).toBe('The engine process ended once more.')
  })

  it('stays when a file could not be loaded again', () => {
    const app = lostAndBack('The file a.csv is gone.')
    vi.advanceTimersByTime(60_000)
    expect(app.banner?.sentence).toContain('The file a.csv is gone.')
  })
})

it('an answer that failed for the engine process adds nothing to what is told of that', () => {
  freshWindow()
  const app = useAppStore()
  app.fail(new LabError('engine-lost', 'engine-lost', 'It ended before it answered.'))
  app.fail(givenUp)
  expect(app.error).toBeNull()
  app.fail(new LabError('engine-lost', 'cuda.lost', 'The GPU was lost.'))
  expect(app.error?.code).toBe('cuda.lost')
})

it('a failure is reported across the window and nowhere else', () => {
  freshWindow()
  const app = useAppStore()
  app.message = 'Writing labels.csv: 3 of 5 rows'
  app.fail(new LabError('io', 'export.full', 'The disk is full: free some space.'))
  expect(app.error?.message).toBe('The disk is full: free some space.')
  expect(app.message).toBe('')
  app.error = null
  app.fail(new LabError('cancelled', 'cancelled', 'Cancelled.'))
  expect(app.error).toBeNull()
})
