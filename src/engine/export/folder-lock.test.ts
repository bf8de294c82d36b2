import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ownIdentity } from '../process-identity'
import { writeAtomically } from './atomic-file'
import { asOnlyWriter } from './folder-lock'
import { makeFolder } from './make-folder'
import { temporaryName } from './temporary-files'

const signal = new AbortController().signal
let folder = ''
const children: ChildProcess[] = []

beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'centroid-lab-lock-'))))
afterEach(async () => {
  await Promise.all(children.splice(0).map(end))
  rmSync(folder, { recursive: true, force: true })
})

/** Of a process of this machine that has ended, up to the last digits of its start. */
function deadIdentity(): string {
  const [host, boot] = ownIdentity().split('-')
  return `${host}-${boot}-1-9999999`
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}

/** Another process that does as told and then waits; what it writes is read as soon as it has said so. */
async function another(work: string): Promise<ChildProcess> {
  const script = join(folder, '..', `centroid-lab-another-${process.pid}-${children.length}.test.ts`)
  writeFileSync(
    script,
    `import { openSync } from 'node:fs'
     import { asOnlyWriter } from ${JSON.stringify(resolve('src/engine/export/folder-lock'))}
     import { temporaryName } from ${JSON.stringify(resolve('src/engine/export/temporary-files'))}
     const folder = ${JSON.stringify(folder)}
     const wait = () => new Promise(() => { console.log('ready'); setInterval(() => undefined, 1000) })
     await (async () => { ${work} })()`,
  )
  const viteNode = resolve('node_modules/vite/bin/vite.js')
  if (!existsSync(viteNode)) throw new Error('vite is missing')
  const run = `import { runnerImport } from ${JSON.stringify(resolve('node_modules/vite/dist/node/index.js'))}
    await runnerImport(${JSON.stringify(script)}, { configFile: false, logLevel: 'error', root: ${JSON.stringify(resolve('.'))},
      resolve: { alias: { '@shared': ${JSON.stringify(resolve('src/shared'))}, '@engine': ${JSON.stringify(resolve('src/engine'))} } } })`
  const child = spawn(process.execPath, ['--input-type=module', '-e', run], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  if (child.stdout === null) throw new Error('no output')
  await once(child.stdout, 'data')
  rmSync(script, { force: true })
  return child
}

describe('a folder is written by one run at a time', () => {
  const busy = { code: 'export.folder-busy', message: expect.stringContaining(`writing into`) }

  it('the second in the same process says so, and the next is free again', async () => {
    await asOnlyWriter(folder, async () => {
      await expect(asOnlyWriter(folder, async () => 1)).rejects.toMatchObject(busy)
    })
    expect(await asOnlyWriter(folder, async () => 2)).toBe(2)
    expect(readdirSync(folder)).toEqual([])
  })

  it('another process that lives keeps it, one that was killed does not', async () => {
    const other = await another('await asOnlyWriter(folder, wait)')
    await expect(asOnlyWriter(folder, async () => 1)).rejects.toMatchObject(busy)
    await end(other)
    expect(readdirSync(folder)).toEqual([expect.stringMatching(/^\.centroid-lab-.*\.lock$/)])
    expect(await asOnlyWriter(folder, async () => 2)).toBe(2)
    expect(readdirSync(folder)).toEqual([])
  })

  it('of many that want it again and again, over the locks of killed ones, there is never more than one', async () => {
    const wanting = `
      const { openSync, closeSync, rmSync, writeFileSync } = await import('node:fs')
      const dead = (n) => folder + '/.centroid-lab-' + ${JSON.stringify(deadIdentity())} + n + '.lock'
      const stop = Date.now() + 1500
      let had = 0
      while (Date.now() < stop) {
        writeFileSync(dead(had % 7), '')
        await asOnlyWriter(folder, async () => {
          closeSync(openSync(folder + '/one', 'wx'))
          await new Promise((done) => setTimeout(done, 2))
          rmSync(folder + '/one')
          had++
        }).catch((error) => { if (error.code !== 'export.folder-busy') throw error })
      }
      writeFileSync(folder + '/had-' + process.pid, String(had))
      await wait()`
    const all = await Promise.all([1, 2, 3].map(() => another(wanting)))
    const had = readdirSync(folder).filter((name) => name.startsWith('had-'))
    expect(had).toHaveLength(all.length)
    expect(
      had.reduce((sum, name) => sum + Number(readFileSync(join(folder, name), 'utf8')), 0),
    ).toBeGreaterThan(3)
  })

  it('a process of another machine may live; the sentence says what to do if it does not', async () => {
    const elsewhere = '.centroid-lab-00000000-00000000-1-1.lock'
    writeFileSync(join(folder, elsewhere), '')
    await expect(asOnlyWriter(folder, async () => 1)).rejects.toMatchObject({
      code: 'export.folder-busy',
      message: expect.stringContaining(`remove ${join(folder, elsewhere)}`),
    })
  })

  it('a folder that was made for nothing is gone afterwards, one with a file stays', async () => {
    const inner = join(folder, 'a', 'b')
    await asOnlyWriter(inner, async () => undefined)
    expect(readdirSync(folder)).toEqual([])
    await asOnlyWriter(inner, async () => writeFileSync(join(inner, 'x'), ''))
    expect(readdirSync(inner)).toEqual(['x'])
  })
})

describe('half-written files', () => {
  const write = (name: string) =>
    writeAtomically(join(folder, name), { replace: true, signal }, (sink) => sink.write('whole'))

  it('of a process that was killed go at the next export, those of a living one stay', async () => {
    const other = await another("openSync(temporaryName(folder), 'wx'); await wait()")
    await write('one.csv')
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toHaveLength(1)
    await end(other)
    await write('two.csv')
    expect(readdirSync(folder)).toEqual(['one.csv', 'two.csv'])
  })

  it('of this process go at the next export, should they have been left behind', async () => {
    writeFileSync(temporaryName(folder), 'left')
    await write('one.csv')
    expect(readdirSync(folder)).toEqual(['one.csv'])
  })

  it.skipIf(process.platform !== 'linux')('are not left in a folder that is renamed meanwhile', async () => {
    const before = join(folder, 'before')
    const after = join(folder, 'after')
    await makeFolder(before)
    const { renameSync } = await import('node:fs')
    const writing = writeAtomically(join(before, 'x.csv'), { replace: false, signal }, async (sink) => {
      await sink.writeBytes(new Uint8Array(1000))
      renameSync(before, after)
    })
    await expect(writing).rejects.toMatchObject({ kind: 'io' })
    await writeAtomically(join(after, 'y.csv'), { replace: false, signal }, (sink) => sink.write('y'))
    expect(readdirSync(after)).toEqual(['y.csv'])
  })

  it.skipIf(process.platform === 'win32')(
    'become files for their owner alone; a file that is replaced keeps its mode',
    async () => {
      await write('one.csv')
      const modeOf = (name: string) => (statSync(join(folder, name)).mode & 0o777).toString(8)
      expect(modeOf('one.csv')).toBe('600')
      writeFileSync(join(folder, 'two.csv'), '', { mode: 0o644 })
      await write('two.csv')
      expect(modeOf('two.csv')).toBe('644')
    },
  )
})

describe('places that take no folder', () => {
  it.skipIf(!existsSync('/proc/self'))('are refused at once, in a sentence', async () => {
    const sentence = /^[^\n]*\/proc[^\n]*: [^\n]*\.$/
    await expect(makeFolder('/proc/x')).rejects.toMatchObject({
      kind: 'io',
      message: expect.stringMatching(sentence),
    })
    await expect(makeFolder('/proc/x/y/z')).rejects.toMatchObject({ kind: 'io' })
  })

  it.skipIf(!existsSync('/proc/sys'))(
    'one that is there and takes no files is not said to be missing',
    async () => {
      const refused = asOnlyWriter('/proc/sys', async () => 1)
      await expect(refused).rejects.toMatchObject({
        kind: 'io',
        message: expect.not.stringMatching(/does not exist|lock/),
      })
    },
  )

  it('leave nothing of the folders above that were made on the way', async () => {
    const path = join(folder, 'one', 'two', 'x'.repeat(300))
    await expect(makeFolder(path)).rejects.toMatchObject({ code: 'export.name-too-long' })
    expect(readdirSync(folder)).toEqual([])
  })

  it('a file in the place of a folder, a dangling link and /dev/null are none', async () => {
    const file = join(folder, 'file')
    writeFileSync(file, '')
    const { symlinkSync } = await import('node:fs')
    symlinkSync(join(folder, 'nowhere', 'else'), join(folder, 'link'))
    const link = expect.stringMatching(/\/link is a link to what is not there: /)
    await expect(makeFolder(join(folder, 'link'))).rejects.toMatchObject({ message: link })
    for (const path of [file, join(file, 'x'), '/dev/null', '/dev/null/x', join(folder, 'link', 'x')]) {
      await expect(makeFolder(path), path).rejects.toMatchObject({ kind: 'io' })
    }
  })
})
