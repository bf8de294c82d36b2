import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import type { Answer, MenuCommand, WindowRequests } from '@shared/ipc'
import { launch, type Lab } from '../e2e/harness'

/** An answer that takes longer is a hang. */
export const hangMs = 10_000
const looksMs = 25

/**
 * The window past Playwright, which lets go of a page that was killed: what is asked here goes through main, and a page
 * that is gone says nothing.
 */
export class Driver {
  private constructor(readonly lab: Lab) {}

  static async start(home: string, files: readonly string[] = []): Promise<Driver> {
    return new Driver(await launch(files, home))
  }

  get mainPid(): number {
    return this.lab.app.process().pid ?? 0
  }

  /** What a script answers in the page; undefined when the page is gone or does not answer in a second. */
  async script<T>(code: string): Promise<T | undefined> {
    const answer = this.lab.app.evaluate(
      ({ BrowserWindow }, script) =>
        BrowserWindow.getAllWindows()[0].webContents.executeJavaScript(script) as Promise<unknown>,
      code,
    )
    return (await Promise.race([answer.catch(() => undefined), delay(1000, undefined)])) as T | undefined
  }

  text(testId: string): Promise<string | null | undefined> {
    return this.script(`document.querySelector('[data-testid="${testId}"]')?.textContent ?? null`)
  }

  async click(testId: string): Promise<boolean> {
    const script = `(e => { e?.click(); return e !== null })(document.querySelector('[data-testid="${testId}"]'))`
    return (await this.script<boolean>(script)) ?? false
  }

  async type(testId: string, value: string): Promise<void> {
    await this.script(
      `(e => { e.value = '${value}'; e.dispatchEvent(new Event('input')); e.dispatchEvent(new Event('change')) })(document.querySelector('[data-testid="${testId}"]'))`,
    )
  }

  async ask<K extends keyof WindowRequests>(
    channel: K,
    params: WindowRequests[K]['params'],
  ): Promise<WindowRequests[K]['result'] | undefined> {
    const sent = JSON.stringify(params)
    const answer = await this.script<Answer<WindowRequests[K]['result']>>(`lab.invoke('${channel}', ${sent})`)
    return answer?.ok === true ? answer.value : undefined
  }

  /** As the native menu does. */
  async menu(command: MenuCommand): Promise<void> {
    await this.lab.app.evaluate(({ BrowserWindow }, chosen) => {
      BrowserWindow.getAllWindows()[0].webContents.send('app.menu', { command: chosen })
    }, command)
  }

  /** As a second start of the program with a file does. */
  async openFile(path: string): Promise<void> {
    await this.lab.app.evaluate(({ app }, file) => {
      app.emit('second-instance', {}, ['centroid-lab', file], '/')
    }, path)
  }

  runState(): Promise<string | null | undefined> {
    return this.script(`document.querySelector('[data-testid="progress"]')?.dataset.state ?? null`)
  }

  /** @returns how long it took, in ms @throws Error after `maxMs` */
  async until(what: string, holds: () => Promise<boolean>, maxMs = hangMs): Promise<number> {
    const began = performance.now()
    while (!(await holds())) {
      if (performance.now() - began > maxMs)
        throw new Error(`${what}: not within ${maxMs / 1000} s\n${traceOf(this.mainPid)}`)
      await delay(looksMs)
    }
    return performance.now() - began
  }

  async close(): Promise<void> {
    await this.lab.close()
  }
}

/** The processes a process has started, and those they have. */
export function descendantsOf(pid: number): readonly number[] {
  const parents = new Map<number, number>()
  for (const entry of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const parent = parentOf(Number(entry))
    if (parent !== null) parents.set(Number(entry), parent)
  }
  const below = (parent: number): number[] =>
    [...parents].flatMap(([child, of]) => (of === parent ? [child, ...below(child)] : []))
  return below(pid)
}

/** Of a process that is there and is not only waiting to be buried. */
function parentOf(pid: number): number | null {
  try {
    const facts = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const [state, parent] = facts.slice(facts.lastIndexOf(')') + 2).split(' ')
    return state === 'Z' ? null : Number(parent)
  } catch {
    return null
  }
}

export function isRunning(pid: number): boolean {
  return parentOf(pid) !== null
}

/** What every process of the program is at, for who looks into a hang: state, where it waits in the kernel, open files. */
export function traceOf(pid: number): string {
  const read = (of: number, file: string) => {
    try {
      return readFileSync(`/proc/${of}/${file}`, 'latin1').replaceAll('\0', ' ').trim()
    } catch {
      return ''
    }
  }
  const lines = [pid, ...descendantsOf(pid)].map((each) => {
    const state = /^State:\s*(\S)/m.exec(read(each, 'status'))?.[1] ?? 'gone'
    return `  ${each} ${state} ${read(each, 'wchan')} ${read(each, 'cmdline').slice(0, 160)}`
  })
  return lines.join('\n')
}

/** The one of a kind among them, by its command line; null between two of them. */
export function processOf(pid: number, kind: RegExp): number | null {
  const found = descendantsOf(pid).find((child) => {
    try {
      return kind.test(readFileSync(`/proc/${child}/cmdline`, 'utf8').replaceAll('\0', ' '))
    } catch {
      return false
    }
  })
  return found ?? null
}
