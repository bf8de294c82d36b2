import { connect } from 'node:net'
import { resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launch, type Lab } from './harness'
import {
  listenForCalls,
  tryEveryWayOut,
  wantPeerConnections,
  watchUdp,
  type Witness,
} from './network-witness'

let lab: Lab
let witness: Witness

beforeAll(async () => {
  witness = await listenForCalls()
  lab = await launch([resolve('examples/wine.csv')])
})
afterAll(async () => {
  await lab.close()
  witness.close()
})

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
          script.src = 'data:text/javascript,window.injected = true'
          document.head.append(script)
        }),
    )
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toContain('unsafe')
    expect(await lab.page.evaluate(() => 'injected' in window)).toBe(false)
  })

  it('reaches no network in any of eighteen ways', async () => {
    const { tried, answered } = await lab.page.evaluate(tryEveryWayOut, witness.port)
    expect(tried).toBeGreaterThanOrEqual(18)
    expect(answered).toEqual([])
    expect(witness.calls).toEqual([])
  })

  it('opens no window, goes nowhere and saves nothing by itself', async () => {
    await lab.page.evaluate((port) => {
      const out = `http://127.0.0.1:${port}/`
      const click = (attributes: Readonly<Record<string, string>>) => {
        const anchor = document.createElement('a')
        for (const [name, value] of Object.entries(attributes)) anchor.setAttribute(name, value)
        document.body.append(anchor)
        anchor.click()
        anchor.remove()
      }
      window.open(out)
      window.open('about:blank')
      click({ href: out, target: '_blank', ping: out })
      click({ href: URL.createObjectURL(new Blob(['x'])), download: 'unasked.txt' })
      click({ href: 'file:///etc/passwd' })
      location.assign(out)
    }, witness.port)
    await lab.page.waitForTimeout(300)
    expect(lab.app.windows()).toHaveLength(1)
    expect(lab.page.url()).toMatch(/^centroid-lab:/)
    expect(await lab.at('dataset-name').textContent()).toContain('wine.csv')
    expect(witness.calls).toEqual([])
  })

  it('is granted no permission', async () => {
    const states = await lab.page.evaluate(async () => {
      const names = [
        'geolocation',
        'notifications',
        'camera',
        'microphone',
        'midi',
        'clipboard-read',
      ] as const
      const queried = await Promise.all(
        names.map((name) => navigator.permissions.query({ name: name as PermissionName })),
      )
      const asked = await Promise.allSettled([
        navigator.mediaDevices.getUserMedia({ audio: true }),
        navigator.mediaDevices.getDisplayMedia(),
        new Promise((done, fail) => navigator.geolocation.getCurrentPosition(done, fail)),
        navigator.clipboard.readText(),
      ])
      const granted = queried.filter(({ state }) => state !== 'denied').map(({ name }) => name)
      return [
        ...granted,
        ...asked.filter(({ status }) => status === 'fulfilled'),
        await Notification.requestPermission(),
      ]
    })
    expect(states).toEqual(['denied'])
  })

  it('answers nobody but its own page', async () => {
    const answer = await lab.app.evaluate(async ({ app, BrowserWindow }) => {
      const preload = `${app.getAppPath()}/out/preload/index.cjs`
      const other = new BrowserWindow({ show: false, webPreferences: { preload, sandbox: true } })
      await other.loadURL('data:text/html,<p>elsewhere</p>')
      const said: unknown = await other.webContents.executeJavaScript("lab.invoke('app.settings', {})")
      other.destroy()
      return said
    })
    expect(answer).toMatchObject({ ok: false, error: { code: 'ipc.sender' } })
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

  it.each(['own', 'iframe', 'object', 'embed'] as const)(
    'has no peer connections, and no UDP socket for them: %s',
    async (kind) => {
      const noticed = watchUdp()
      const script = `(${wantPeerConnections.toString()})('${kind}')`
      const made = lab.app.evaluate(
        ({ BrowserWindow }, code) =>
          BrowserWindow.getAllWindows()[0].webContents.executeJavaScript(code) as Promise<number>,
        script,
      )
      // A page that makes frames is ended, and says nothing any more.
      const answer = await Promise.race([made.catch(() => 0), delay(1500, 0)])
      await delay(500)
      expect({ answer, sockets: noticed.stop() }).toEqual({ answer: 0, sockets: [] })
      await lab.close()
      lab = await launch([resolve('examples/wine.csv')])
      await lab.at('dataset-name').filter({ hasText: 'wine.csv' }).waitFor()
    },
  )

  it('reaches no network either where the policy of the page is gone', async () => {
    const cdp = await lab.page.context().newCDPSession(lab.page)
    await cdp.send('Page.setBypassCSP', { enabled: true })
    await lab.page.reload()
    const refusals: string[] = []
    lab.page.on('requestfailed', (request) => refusals.push(request.failure()?.errorText ?? 'no reason'))
    const { answered } = await lab.page.evaluate(tryEveryWayOut, witness.port)
    expect(answered).toEqual([])
    expect(refusals.length).toBeGreaterThan(6)
    expect(new Set(refusals)).toEqual(new Set(['net::ERR_BLOCKED_BY_CLIENT']))
    expect(witness.calls).toEqual([])
    // The witness does notice who calls.
    const caller = connect(witness.port, '127.0.0.1')
    await expect.poll(() => witness.calls).toEqual(['TCP'])
    caller.destroy()
  })
})
