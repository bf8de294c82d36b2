import { resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launch, type Lab } from './harness'

let lab: Lab

beforeAll(async () => {
  lab = await launch([resolve('examples/wine.csv')])
})
afterAll(() => lab.close())

describe('the window is closed to everything but its own page', () => {
  it('opens a file named on the command line', async () => {
    await lab.at('dataset-name').filter({ hasText: 'wine.csv' }).waitFor()
  })

  it('has no Node and no Electron in the page', async () => {
    const reach = await lab.page.evaluate(() => ({
      globals: ['require', 'process', 'module', 'Buffer', 'ipcRenderer'].filter((name) => name in window),
      lab: Object.keys((window as unknown as { lab: object }).lab).sort(),
    }))
    expect(reach).toEqual({ globals: [], lab: ['invoke', 'on', 'registerDrop'] })
  })

  it('runs sandboxed and isolated', async () => {
    const preferences = await lab.app.evaluate(({ BrowserWindow }) => {
      const contents = BrowserWindow.getAllWindows()[0].webContents as unknown as {
        getLastWebPreferences(): Record<string, unknown>
      }
      return contents.getLastWebPreferences()
    })
    expect(preferences).toMatchObject({ sandbox: true, contextIsolation: true, nodeIntegration: false })
  })

  it('sends a strict content security policy', async () => {
    const policy = await lab.page.evaluate(
      () =>
        new Promise<string>((done) => {
          document.addEventListener('securitypolicyviolation', (event) => done(event.originalPolicy))
          const script = document.createElement('script')
          script.textContent = 'window.injected = true'
          document.head.append(script)
        }),
    )
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toContain('unsafe')
    expect(await lab.page.evaluate(() => 'injected' in window)).toBe(false)
  })

  it('reaches no network, opens no window and goes nowhere', async () => {
    const outcome = await lab.page.evaluate(async () => ({
      fetched: await fetch('http://127.0.0.1:9/').then(
        () => true,
        () => false,
      ),
      opened: window.open('https://example.invalid/') !== null,
    }))
    expect(outcome).toEqual({ fetched: false, opened: false })
    await lab.page.evaluate(() => location.assign('https://example.invalid/'))
    await lab.page.waitForTimeout(300)
    expect(lab.page.url()).toMatch(/^centroid-lab:/)
    expect(await lab.at('dataset-name').textContent()).toContain('wine.csv')
  })

  it('serves nothing outside its folder and answers no unknown request', async () => {
    const refused = await lab.page.evaluate(async () => {
      const api = (
        window as unknown as { lab: { invoke(channel: string, params: object): Promise<{ ok: boolean }> } }
      ).lab
      const answer = await api.invoke('app.open', { token: '/etc/passwd', overrides: {} })
      const unknown = await api.invoke('dataset.open', { path: '/etc/passwd' }).then(
        () => true,
        () => false,
      )
      return { opened: answer.ok, unknown }
    })
    expect(refused).toEqual({ opened: false, unknown: false })
    const status = await lab.app.evaluate(async ({ net }) => {
      const response = await net.fetch('centroid-lab://window/..%2f..%2f..%2fpackage.json')
      return response.status
    })
    expect(status).toBe(404)
  })
})
