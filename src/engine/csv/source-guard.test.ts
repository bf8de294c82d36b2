import { execFileSync } from 'node:child_process'
import { closeSync, copyFileSync, mkdtempSync, openSync, rmSync, symlinkSync, unlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Dataset } from '../dataset/dataset'
import { openDataset } from './open-dataset'
import { sourceCells } from './testing/source-cells'

const never = new AbortController().signal
let folder: string
let path: string
let dataset: Dataset

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'guard-'))
  path = join(folder, 'iris.csv')
  copyFileSync(resolve('examples/iris.csv'), path)
  dataset = await openDataset(path, {}, () => undefined, never)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const cells = () => sourceCells(dataset, [0], never)

/** The limit of open files of this process as it runs: the soft one alone, so that it can be raised again. */
function limitOpenFiles(soft: string): void {
  execFileSync('prlimit', ['--pid', String(process.pid), `--nofile=${soft}:`])
}

/** Carries something out while this process may open no more files. */
async function withoutDescriptors<T>(work: () => Promise<T>): Promise<T> {
  const before = execFileSync('prlimit', [
    ...['--pid', String(process.pid), '--nofile', '--raw', '--noheadings', '--output', 'SOFT'],
  ])
  const held = [openSync('/dev/null', 'r')]
  limitOpenFiles(String(held[0] + 40))
  try {
    for (;;) held.push(openSync('/dev/null', 'r'))
  } catch {
    return await work().finally(() => {
      held.forEach((descriptor) => closeSync(descriptor))
      limitOpenFiles(before.toString().trim())
    })
  }
}

describe.skipIf(process.platform !== 'linux')('a source that cannot be read again', () => {
  it('for want of a file descriptor is not called changed', async () => {
    const failed = await withoutDescriptors(() => cells().catch((thrown: unknown) => thrown))
    expect(failed).toMatchObject({
      code: 'csv.too-many-files',
      message: `The file ${path} could not be read, because this program has as many files open as it may: raise the limit (ulimit -n), or close what it has open, and try again.`,
    })
    expect(await cells()).toHaveLength(1)
  })

  it('behind a circle of links is not called changed', async () => {
    unlinkSync(path)
    symlinkSync('iris.csv', path)
    await expect(cells()).rejects.toMatchObject({
      code: 'csv.link-loop',
      message: expect.stringContaining('lead round in a circle'),
    })
  })

  it('that is gone or is another file is called so', async () => {
    unlinkSync(path)
    await expect(cells()).rejects.toMatchObject({ code: 'dataset.source-missing' })
    copyFileSync(resolve('examples/wine.csv'), path)
    await expect(cells()).rejects.toMatchObject({ code: 'dataset.source-changed' })
  })
})
