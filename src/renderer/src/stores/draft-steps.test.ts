import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { nextTick } from 'vue'
import { summary } from '../../test/fixtures'
import { freshWindow } from '../../test/mount'
import { useConfigStore } from './config'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

function settings() {
  freshWindow()
  const config = useConfigStore()
  config.adopt(summary())
  return config
}

type Config = ReturnType<typeof settings>

async function type(config: Config, field: 'k' | 'seed', ...texts: string[]): Promise<void> {
  for (const text of texts) {
    config.draft[field] = text
    await nextTick()
    vi.advanceTimersByTime(100)
  }
}

const pause = () => void vi.advanceTimersByTime(801)

describe('undo and redo of the settings', () => {
  it('goes back and forth, a choice a step', async () => {
    const config = settings()
    expect([config.canUndo, config.canRedo]).toEqual([false, false])
    config.draft.scaling = 'robust'
    await nextTick()
    config.draft.scaling = 'min-max'
    await nextTick()
    config.setFeature('sepal_width', false)
    await nextTick()
    config.undo()
    expect(config.draft.features).toHaveLength(4)
    config.undo()
    expect(config.draft.scaling).toBe('robust')
    config.undo()
    expect(config.draft.scaling).toBe('none')
    expect([config.canUndo, config.canRedo]).toEqual([false, true])
    config.redo()
    config.redo()
    config.redo()
    expect(config.draft).toMatchObject({ scaling: 'min-max' })
    expect(config.draft.features).not.toContain('sepal_width')
    expect([config.canUndo, config.canRedo]).toEqual([true, false])
    config.redo()
    expect(config.draft.scaling).toBe('min-max')
  })

  it('undoes a change of this very turn', () => {
    const config = settings()
    config.draft.empty = 'drop'
    config.undo()
    expect(config.draft.empty).toBe('keep')
    config.redo()
    expect(config.draft.empty).toBe('drop')
  })

  it('joins quick typing in one field, up to a pause or another field', async () => {
    const config = settings()
    await type(config, 'k', '1', '12', '120')
    await type(config, 'seed', '', '7')
    pause()
    await type(config, 'seed', '77')
    config.undo()
    expect(config.draft.seed).toBe('7')
    config.undo()
    expect(config.draft).toMatchObject({ seed: '1', k: '120' })
    config.undo()
    expect(config.draft.k).toBe('3')
    expect(config.canUndo).toBe(false)
  })

  it('never joins what is typed after an undo with what was before it', async () => {
    const config = settings()
    await type(config, 'k', '4')
    pause()
    await type(config, 'k', '5')
    config.undo()
    await type(config, 'k', '6')
    expect(config.canRedo).toBe(false)
    config.undo()
    expect(config.draft.k).toBe('4')
  })

  it('takes no step for what was typed and taken back, none for what is set to what it was', async () => {
    const config = settings()
    await type(config, 'k', '', '3')
    expect(config.canUndo).toBe(false)
    config.setFeatures([...config.draft.features])
    await nextTick()
    expect(config.canUndo).toBe(false)
  })

  it('keeps a choice that was made and taken back as two steps', async () => {
    const config = settings()
    config.draft.empty = 'drop'
    await nextTick()
    config.draft.empty = 'keep'
    await nextTick()
    config.undo()
    expect(config.draft.empty).toBe('drop')
  })

  it('keeps 200 steps', async () => {
    const config = settings()
    for (let seed = 1; seed <= 250; seed++) {
      pause()
      await type(config, 'seed', String(1000 + seed))
    }
    let steps = 0
    for (; config.canUndo; steps++) config.undo()
    expect(steps).toBe(200)
    expect(config.draft.seed).toBe('1050')
  })

  it('forgets with another dataset', async () => {
    const config = settings()
    config.draft.empty = 'drop'
    await nextTick()
    config.draft.empty = 'keep'
    await nextTick()
    config.undo()
    config.adopt(summary())
    await nextTick()
    expect([config.canUndo, config.canRedo]).toEqual([false, false])
  })

  it('counts neither remembered settings nor what the window corrects', async () => {
    const config = settings()
    config.restore({ k: 9, engine: 'cuda' })
    await nextTick()
    expect(config.canUndo).toBe(false)
    config.draft.stop = 'labels'
    config.withoutStep(() => (config.draft.engine = 'auto'))
    await nextTick()
    config.undo()
    expect(config.draft).toMatchObject({ stop: 'relative-shift', engine: 'cuda', k: '9' })
    config.redo()
    expect(config.draft).toMatchObject({ stop: 'labels', engine: 'auto' })
  })
})

it('a slider that is held makes one step, however long it takes', async () => {
  const config = settings()
  config.beginGesture()
  for (const k of ['4', '5', '6']) {
    config.draft.k = k
    await nextTick()
    vi.advanceTimersByTime(2000)
  }
  config.endGesture()
  config.draft.k = '7'
  await nextTick()
  config.undo()
  expect(config.draft.k).toBe('6')
  config.undo()
  expect(config.draft.k).toBe('3')
  expect(config.canUndo).toBe(false)
})
