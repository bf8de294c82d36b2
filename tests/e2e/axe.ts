import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import type { AxeResults } from 'axe-core'

const source = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

declare global {
  interface Window {
    axe?: { run(context: Document, options: object): Promise<AxeResults> }
  }
}

/** What axe-core finds wrong on the page as it stands, one line each: rule, why, where. */
export async function violations(page: Page): Promise<readonly string[]> {
  if (!(await page.evaluate(() => window.axe !== undefined))) {
    // A script tag would be refused by the page's policy; what the debugger evaluates is not.
    await page.evaluate(await readFile(source, 'utf8'))
  }
  const found = await page.evaluate(async () => {
    const results = await window.axe?.run(document, {
      resultTypes: ['violations'],
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    })
    if (!results) throw new Error('axe-core is not in the page')
    return results.violations
  })
  return found.map(
    ({ id, help, nodes }) => `${id}: ${help} at ${nodes.map(({ target }) => target).join(' | ')}`,
  )
}
