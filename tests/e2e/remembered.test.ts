import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { granted } from './bridge'
import { launch, type Lab } from './harness'

let home: string
let lab: Lab

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'centroid home '))
})
afterAll(async () => {
  await lab.close()
  await rm(home, { recursive: true, force: true, maxRetries: 5 })
})

function windowState(): Promise<{ width: number; height: number; zoom: number }> {
  return lab.app.evaluate(({ BrowserWindow }) => {
    const [browser] = BrowserWindow.getAllWindows()
    const { width, height } = browser.getNormalBounds()
    return { width, height, zoom: browser.webContents.getZoomFactor() }
  })
}

/** Ends the program as a person does, by its window. */
async function closeWindow(): Promise<void> {
  const ended = lab.app.waitForEvent('close')
  await lab.app
    .evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0].close())
    .catch(() => undefined)
  await ended
}

describe('after a restart', () => {
  it('the window, its zoom and the settings are as they were left', async () => {
    lab = await launch([], home)
    expect((await windowState()).zoom).toBe(1)
    await granted(lab, 'app.save-settings', { settings: { theme: 'dark', stepCount: 9, view: 'steps' } })
    await lab.app.evaluate(({ BrowserWindow }) => {
      const [browser] = BrowserWindow.getAllWindows()
      browser.setSize(1111, 777)
      browser.webContents.setZoomFactor(1.5)
    })
    await expect.poll(windowState).toEqual({ width: 1111, height: 777, zoom: 1.5 })
    await closeWindow()

    lab = await launch([], home)
    expect(await windowState()).toEqual({ width: 1111, height: 777, zoom: 1.5 })
    expect(await granted(lab, 'app.settings', {})).toMatchObject({
      theme: 'dark',
      stepCount: 9,
      view: 'steps',
    })
    expect(await lab.app.evaluate(({ nativeTheme }) => nativeTheme.shouldUseDarkColors)).toBe(true)
  })

  it('a maximised window is remembered with the size it goes back to', async () => {
    // No window manager runs here, so the window only says that it is maximised.
    await lab.app.evaluate(({ BrowserWindow }) => {
      BrowserWindow.getAllWindows()[0].isMaximized = () => true
    })
    await closeWindow()
    const kept = JSON.parse(await readFile(join(home, 'user', 'window.json'), 'utf8')) as object
    expect(kept).toMatchObject({ maximised: true, width: 1111, height: 777 })
    lab = await launch([], home)
  })

  it('a place that is on no screen and a damaged file are forgotten', async () => {
    const file = join(home, 'user', 'window.json')
    await closeWindow()
    await writeFile(file, JSON.stringify({ x: 90_000, y: 90_000, width: 1000, height: 700 }))
    lab = await launch([], home)
    expect(await windowState()).toMatchObject({ width: 1280, height: 800 })
    await closeWindow()
    await writeFile(file, '{"width": "wide"')
    lab = await launch([], home)
    expect(await windowState()).toMatchObject({ width: 1280, height: 800 })
  })
})
