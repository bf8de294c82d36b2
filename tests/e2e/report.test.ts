import { comparisonDocument } from '@shared/benchmark/testing/document'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { reportOf } from '@engine/export/benchmark/report/report'
import { launch, type Lab } from './harness'

let lab: Lab
beforeAll(async () => {
  lab = await launch()
})
afterAll(() => lab.close())

interface Opened {
  readonly refusals: readonly string[]
  readonly ran: boolean
  readonly margin: string
}

/** Opens a page in the Chromium of the project, as a browser would that got the file by mail. */
function open(markup: string): Promise<Opened> {
  return lab.app.evaluate(async ({ BrowserWindow }, text) => {
    const page = new BrowserWindow({ show: false, webPreferences: { sandbox: true } })
    const refusals: string[] = []
    page.webContents.on('console-message', (_event, _level, message) => {
      if (message.includes('Content Security Policy')) refusals.push(message)
    })
    await page.loadURL(`data:text/html;base64,${btoa(unescape(encodeURIComponent(text)))}`)
    // The developer's world sees the page's variables.
    const said: unknown = await page.webContents.executeJavaScript(
      "({ ran: 'owned' in window, margin: getComputedStyle(document.querySelector('h1')).marginTop })",
    )
    page.destroy()
    return { refusals, ...(said as { ran: boolean; margin: string }) }
  }, markup)
}

it('the report of a comparison keeps to its own policy, under which nothing that gets into it runs', async () => {
  const document = comparisonDocument()
  const hostile = '"><script>window.owned = 1</script><img src=x onerror="window.owned = 1">'
  const named = { ...document, suite: { ...document.suite, name: hostile, description: hostile } }
  const report = reportOf(named, { baseline: document.suite.baseline, plots: [] })
  const clean = await open(report)
  expect(clean).toMatchObject({ refusals: [], ran: false })
  const infected = await open(report.replace('<main>', `<main>${hostile}<script>window.owned = 1</script>`))
  expect(infected.ran).toBe(false)
  expect(infected.refusals.length).toBeGreaterThan(0)
  expect(infected.margin).toBe(clean.margin)
})
