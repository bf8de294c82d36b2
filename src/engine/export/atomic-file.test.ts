import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { writeAtomically, type TextSink } from './atomic-file'

const signal = new AbortController().signal
const hello = (sink: TextSink) => sink.write('hello\n')
let folder = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'centroid-lab-atomic-'))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('a file that can be written', () => {
  it('appears with its whole content, larger than any buffer', async () => {
    const path = join(folder, 'größe mit leerzeichen.csv')
    const line = `${'é'.repeat(1000)}\n`
    const { bytes } = await writeAtomically(path, { replace: false, signal }, async (sink) => {
      for (let i = 0; i < 1000; i++) await sink.write(line)
    })
    expect(readFileSync(path, 'utf8')).toBe(line.repeat(1000))
    expect(bytes).toBe(2001 * 1000)
    expect(readdirSync(folder)).toHaveLength(1)
  })

  it('is not there before it is whole', async () => {
    const path = join(folder, 'a.csv')
    await writeAtomically(path, { replace: false, signal }, async (sink) => {
      await sink.write('x'.repeat(1 << 20))
      expect(readdirSync(folder)).not.toContain('a.csv')
    })
    expect(readdirSync(folder)).toEqual(['a.csv'])
  })

  it('replaces what a symbolic link points to, with its permissions', async () => {
    const target = join(folder, 'target.csv')
    const path = join(folder, 'link.csv')
    writeFileSync(target, 'old', { mode: 0o640 })
    symlinkSync(target, path)
    await writeAtomically(path, { replace: true, signal }, hello)
    expect(readFileSync(target, 'utf8')).toBe('hello\n')
    expect(execFileSync('stat', ['-c', '%a', target], { encoding: 'utf8' }).trim()).toBe('640')
  })

  it('stays writable for whom it was, whatever the mask of the process', async () => {
    const path = join(folder, 'shared.csv')
    writeFileSync(path, 'old')
    chmodSync(path, 0o666)
    const before = process.umask(0o077)
    await writeAtomically(path, { replace: true, signal }, hello).finally(() => process.umask(before))
    expect(statSync(path).mode & 0o777).toBe(0o666)
  })
})

describe('a file that cannot be written', () => {
  const refused = (path: string, code: string, replace = false) =>
    expect(writeAtomically(path, { replace, signal }, hello)).rejects.toMatchObject({ code })

  it('is refused when it exists, and stays as it was', async () => {
    const path = join(folder, 'a.csv')
    writeFileSync(path, 'mine')
    await refused(path, 'export.exists')
    expect(readFileSync(path, 'utf8')).toBe('mine')
  })

  it('is refused when it came into being meanwhile', async () => {
    const path = join(folder, 'a.csv')
    const late = writeAtomically(path, { replace: false, signal }, async (sink) => {
      await sink.write('ours')
      writeFileSync(path, 'theirs')
    })
    await expect(late).rejects.toMatchObject({ code: 'export.exists' })
    expect(readFileSync(path, 'utf8')).toBe('theirs')
    expect(readdirSync(folder)).toEqual(['a.csv'])
  })

  it('is refused in a folder that is missing or no folder, or where a folder has its name', async () => {
    writeFileSync(join(folder, 'file'), '')
    mkdirSync(join(folder, 'sub'))
    await refused(join(folder, 'none', 'a.csv'), 'export.folder-missing')
    await refused(join(folder, 'file', 'a.csv'), 'export.folder-missing')
    await refused(join(folder, 'sub'), 'export.is-directory', true)
    await refused(join(folder, `${'x'.repeat(300)}.csv`), 'export.name-too-long')
  })

  it.each([false, true])('is refused where a link to nowhere has its name (replace: %s)', async (replace) => {
    const path = join(folder, 'a.csv')
    symlinkSync(join(folder, 'gone.csv'), path)
    await expect(writeAtomically(path, { replace, signal }, hello)).rejects.toMatchObject({
      message: `${path} is a link to what is not there: remove it, or choose another file.`,
    })
    expect(readlinkSync(path)).toBe(join(folder, 'gone.csv'))
    expect(readdirSync(folder)).toEqual(['a.csv'])
  })

  it('is refused in a place that takes no files', async () => {
    const refusal = writeAtomically('/proc/self/a.csv', { replace: false, signal }, hello)
    await expect(refusal).rejects.toMatchObject({ kind: 'io', code: expect.stringMatching(/^export\./) })
  })

  // Root may write anywhere, so this can only be seen as an ordinary user.
  it.skipIf(process.getuid?.() === 0)('is refused without permission', async () => {
    chmodSync(folder, 0o500)
    await refused(join(folder, 'a.csv'), 'export.not-writable')
    chmodSync(folder, 0o700)
  })
})

describe('a failure on the way', () => {
  it('leaves nothing behind and keeps the old file', async () => {
    const path = join(folder, 'a.csv')
    writeFileSync(path, 'old')
    const broken = writeAtomically(path, { replace: true, signal }, async (sink) => {
      await sink.write('x'.repeat(1 << 20))
      throw new Error('half way')
    })
    await expect(broken).rejects.toThrow('half way')
    expect(readdirSync(folder)).toEqual(['a.csv'])
    expect(readFileSync(path, 'utf8')).toBe('old')
  })

  it('a cancel leaves nothing behind', async () => {
    const controller = new AbortController()
    const cancelledWrite = writeAtomically(
      join(folder, 'a.csv'),
      { replace: false, signal: controller.signal },
      async (sink) => {
        await sink.write('x'.repeat(1 << 20))
        controller.abort()
        await sink.write('y'.repeat(1 << 20))
      },
    )
    await expect(cancelledWrite).rejects.toMatchObject({ kind: 'cancelled' })
    expect(readdirSync(folder)).toEqual([])
  })

  it('a forced exit leaves nothing behind', () => {
    const script = join(folder, 'leave.mjs')
    writeFileSync(
      script,
      `import { writeFileSync } from 'node:fs'
       const { trackTemporary } = await import(process.argv[2])
       writeFileSync(process.argv[3], 'half')
       trackTemporary(process.argv[3])
       process.exit(130)`,
    )
    const source = join(import.meta.dirname, 'temporary-files.ts')
    const left = join(folder, '.half.tmp')
    const run = () =>
      execFileSync(process.execPath, ['--experimental-strip-types', script, source, left], {
        stdio: 'ignore',
      })
    expect(run).toThrow()
    expect(readdirSync(folder)).toEqual(['leave.mjs'])
  })
})

describe('a disk that takes no more', () => {
  const loudly = mayMount() ? '' : ' (SKIPPED: mounting is not allowed here)'

  it.skipIf(loudly !== '')(`when full is told in one sentence, and nothing is left${loudly}`, async () => {
    await onDisk('size=1m', async (disk) => {
      const full = writeAtomically(join(disk, 'a.csv'), { replace: false, signal }, async (sink) => {
        for (let i = 0; i < 4; i++) await sink.write('x'.repeat(1 << 20))
      })
      await expect(full).rejects.toMatchObject({ code: 'export.disk-full', kind: 'io' })
      expect(readdirSync(disk)).toEqual([])
    })
  })

  it.skipIf(loudly !== '')(`when read-only is told in one sentence${loudly}`, async () => {
    await onDisk('size=1m,ro', async (disk) => {
      const refusal = writeAtomically(join(disk, 'a.csv'), { replace: false, signal }, hello)
      await expect(refusal).rejects.toMatchObject({ code: 'export.read-only', kind: 'io' })
    })
  })
})

async function onDisk(options: string, work: (disk: string) => Promise<void>): Promise<void> {
  execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder])
  try {
    await work(folder)
  } finally {
    execFileSync('umount', [folder])
  }
}

function mayMount(): boolean {
  const at = mkdtempSync(join(tmpdir(), 'centroid-lab-tiny-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', at], { stdio: 'ignore' })
    execFileSync('umount', [at])
    return true
  } catch {
    console.warn('SKIPPED: the disk-full and read-only tests need the right to mount a tmpfs')
    return false
  } finally {
    rmSync(at, { recursive: true, force: true })
  }
}
