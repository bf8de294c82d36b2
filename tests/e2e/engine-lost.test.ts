import { readFileSync, readdirSync, readlinkSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launch, type Lab } from './harness'

let lab: Lab

beforeAll(async () => {
  lab = await launch()
})
afterAll(() => lab.close())

describe('an engine process that dies in the middle of a run', () => {
  it('costs the run and nothing else', async () => {
    await lab.openExample('iris.csv')
    await lab.at('run').click()
    const state = () => lab.at('progress').getAttribute('data-state')
    await expect.poll(state, { timeout: 20_000 }).toBe('done')
    const inertia = await lab.at('result-inertia').textContent()

    await lab.at('stop-rule').selectOption('none')
    await lab.at('max-iterations').fill('100000000')
    await lab.at('run').click()
    await lab.at('cancel').waitFor()
    const before = lab.hostPid()
    process.kill(before, 'SIGKILL')

    await expect.poll(() => lab.at('error-message').first().textContent()).toMatch(/engine|cut off/i)
    await lab.picture('engine lost')
    expect(await lab.at('result-inertia').textContent()).toBe(inertia)
    expect(await lab.at('dataset-name').textContent()).toContain('iris.csv')
    await expect.poll(() => lab.hostPid(), { timeout: 20_000 }).not.toBe(before)
  })

  it('is started again with the file loaded: the next run works', async () => {
    await lab.at('max-iterations').fill('300')
    await lab.at('stop-rule').selectOption('labels')
    await lab.at('init').selectOption('first-k')
    await expect.poll(() => lab.at('run').isEnabled(), { timeout: 20_000 }).toBe(true)
    await lab.at('run').click()
    await expect.poll(() => lab.at('result-inertia').textContent(), { timeout: 20_000 }).toContain('78.86')
    const path = join(lab.folder, 'centroids.csv')
    await lab.saveAs(path)
    await lab.at('export-menu').click()
    await lab.at('export-centroids').click()
    await lab.at('status-bar').filter({ hasText: 'centroids.csv' }).waitFor()
    expect((await readFile(path, 'utf8')).split('\n').filter(Boolean)).toHaveLength(4)
  })
})

describe('the engine process', () => {
  it.skipIf(process.platform !== 'linux')('holds nothing of the window open, nor does what it starts', () => {
    const host = lab.hostPid()
    // Standard streams are the terminal's, and the fourth is the pipe to main.
    const own = readdirSync(`/proc/${host}/fd`).filter((fd) => Number(fd) > 3)
    const links = own.map((fd) => linkOf(host, fd))
    expect(links.filter((link) => !/^(anon_inode:|pipe:|\/dev\/null$)/.test(link))).toEqual([])
    const main = lab.app.process().pid ?? 0
    const windows = new Set(readdirSync(`/proc/${main}/fd`).map((fd) => linkOf(main, fd)))
    expect(links.filter((link) => link.startsWith('pipe:') && windows.has(link))).toEqual([])
    expect(own.filter((fd) => staysOpenInChildren(host, fd))).toEqual([])
  })
})

function linkOf(pid: number, fd: string): string {
  try {
    return readlinkSync(`/proc/${pid}/fd/${fd}`)
  } catch {
    return '/dev/null'
  }
}

/** Nobody asked for it to be closed when another program takes the place of this one. */
function staysOpenInChildren(pid: number, fd: string): boolean {
  const flags = /^flags:\s*([0-7]+)/m.exec(readFileSync(`/proc/${pid}/fdinfo/${fd}`, 'latin1'))?.[1] ?? '0'
  return (Number.parseInt(flags, 8) & 0o2000000) === 0
}

const step = async () =>
  numberIn(/Iteration ([\d\s,.]+) of/.exec((await lab.at('progress').textContent()) ?? '')?.[1])
const numberIn = (text = ''): number => Number(text.replaceAll(/\D/g, ''))

describe('a run that was under way when its engine process died', () => {
  it('goes on where it was, after asking', async () => {
    await lab.at('stop-rule').selectOption('none')
    await lab.at('max-iterations').fill('100000000')
    await lab.at('n-init').fill('2')
    await lab.at('run').click()
    await lab.at('cancel').waitFor()
    // Longer than the engine process takes to write down for the first time where it stands.
    await expect.poll(() => lab.at('elapsed').textContent(), { timeout: 10_000 }).toMatch(/^[3-9]\.\d+ s/)
    process.kill(lab.hostPid(), 'SIGKILL')
    await lab.at('run-go-on').waitFor({ timeout: 20_000 })
    expect(await lab.at('run-go-on').textContent()).toContain('Go on with the CPU')
    const sentence = (await lab.at('error-message').first().textContent()) ?? ''
    const kept = numberIn(/after ([\d\s,.]+) iterations of restart 1, which are kept/.exec(sentence)?.[1])
    expect(kept).toBeGreaterThan(100)
    await lab.picture('run can go on')
    // All that can be done about it is in sight, however small the window is.
    await lab.smallest(async () => {
      const cut = (notice: HTMLElement | SVGElement) => notice.scrollHeight - notice.clientHeight
      expect(await lab.page.locator('.run-bar .notice').evaluate(cut)).toBe(0)
      await lab.picture('run can go on, smallest window')
    })
    // A new run in its place is not begun by a key that was pressed in passing.
    await lab.page.keyboard.press('Control+r')
    await lab.at('broken-dialog').waitFor()
    await lab.picture('run can go on or begin anew')
    await lab.at('broken-go-on').click()
    await lab.at('broken-dialog').waitFor({ state: 'detached' })
    await expect
      .poll(() => lab.at('elapsed').textContent(), { timeout: 10_000 })
      .toMatch(/^([3-9]|\d\d)\.\d+ s/)
    await expect.poll(step, { timeout: 20_000 }).toBeGreaterThan(kept)
    await lab.at('cancel').click()
    await expect.poll(() => lab.at('progress').getAttribute('data-state')).toBe('cancelled')
    await lab.at('n-init').fill('1')
  })
})

describe('a computer that sleeps', () => {
  const power = (event: 'suspend' | 'resume') =>
    lab.app.evaluate(({ powerMonitor }, name) => void powerMonitor.emit(name as 'suspend'), event)

  it('a run waits between two iterations, and goes on', async () => {
    await lab.at('run').click()
    await expect.poll(step, { timeout: 10_000 }).toBeGreaterThan(0)
    const progress = async () => {
      const before = await step()
      await lab.page.waitForTimeout(600)
      return (await step()) - before
    }
    await power('suspend')
    await expect.poll(progress, { timeout: 10_000 }).toBe(0)
    const before = await step()
    await power('resume')
    await expect.poll(step, { timeout: 10_000 }).toBeGreaterThan(before)
    await lab.at('cancel').click()
    await expect.poll(() => lab.at('progress').getAttribute('data-state')).toBe('cancelled')
  })
})
