import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { comparisonDocument, scalingDocument } from '@shared/benchmark/testing/document'
import { ratioDocument } from '@shared/benchmark/testing/ratio-document'
import { speaking } from '@shared/locale/translate'
import { defaultRunConfig } from '@shared/run-config'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openDataset } from '@engine/csv/open-dataset'
import { writeExport } from '@engine/export'
import { reportOf } from '@engine/export/benchmark/report/report'
import { runKmeans } from '@engine/run/run-kmeans'
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

/** A4 on its side within the margins of the page, in pixels of CSS. */
const printedWidth = Math.floor(((297 - 2 * 14) / 25.4) * 96)

interface Printed {
  readonly pdf: string
  readonly pages: number
  /** Of what is wider than the paper. */
  readonly cut: readonly string[]
}

/** Prints a page as a person does who keeps it as a PDF. */
async function print(markup: string): Promise<Printed> {
  const printed = await lab.app.evaluate(
    async ({ BrowserWindow }, { text, width }) => {
      const page = new BrowserWindow({ show: false, width, height: 700, webPreferences: { sandbox: true } })
      page.setContentSize(width, 700)
      await page.loadURL(`data:text/html;base64,${btoa(unescape(encodeURIComponent(text)))}`)
      page.webContents.debugger.attach()
      await page.webContents.debugger.sendCommand('Emulation.setEmulatedMedia', { media: 'print' })
      const cut: unknown = await page.webContents.executeJavaScript(
        `[...document.querySelectorAll('body *')]
           .filter((one) => one.getBoundingClientRect().right > ${width} + 1 && !one.closest('svg *'))
           .map((one) => one.tagName + ' ' + (one.textContent ?? '').replace(/\\s+/g, ' ').trim().slice(0, 60))`,
      )
      const pdf = await page.webContents.printToPDF({ preferCSSPageSize: true, printBackground: true })
      page.destroy()
      return { pdf: pdf.toString('base64'), cut: cut as string[] }
    },
    { text: markup, width: printedWidth },
  )
  const bytes = Buffer.from(printed.pdf, 'base64').toString('latin1')
  return { ...printed, pages: [...bytes.matchAll(/\/Type\s*\/Page\b(?!s)/g)].length }
}

/** Into E2E_SCREENSHOTS, where somebody looks at its pages. */
async function keep(name: string, { pdf }: Printed): Promise<void> {
  const target = process.env['E2E_SCREENSHOTS']
  if (!target) return
  await mkdir(target, { recursive: true })
  await writeFile(join(target, `${name}.pdf`), Buffer.from(pdf, 'base64'))
}

const comparisons = {
  comparison: comparisonDocument(),
  sweep: scalingDocument(),
  ratios: ratioDocument({ webgpu: [[1, 2], [1, 4]] }), // prettier-ignore
}

it.each(Object.entries(comparisons))(
  'the report of a %s prints on paper with nothing cut',
  async (name, document) => {
    const view = { baseline: document.suite.baseline, plots: [] }
    const printed = await print(speaking('it', () => reportOf(document, view)))
    await keep(`print-${name}`, printed)
    expect(printed.cut).toEqual([])
    expect(printed.pages).toBeGreaterThan(1)
  },
)

it.each(['en', 'it', 'pl'] as const)(
  'the report of a clustering prints on paper in %s with nothing cut',
  async (language) => {
    const { signal } = new AbortController()
    const dataset = await openDataset('examples/wine.csv', {}, () => undefined, signal)
    const config = { ...defaultRunConfig, engine: 'cpu', variant: 'fused', k: 12 } as const
    const nothing = { phase: () => undefined, iterations: () => undefined }
    const result = await runKmeans(dataset, config, nothing, signal)
    const path = join(lab.folder, `report-${language}.html`)
    await writeExport(result, 'report', path, { replace: true, signal, language })
    const printed = await print(await readFile(path, 'utf8'))
    await keep(`print-clustering-${language}`, printed)
    expect(printed.cut).toEqual([])
  },
)
