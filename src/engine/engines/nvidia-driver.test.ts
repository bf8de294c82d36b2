import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { nvidiaDriver } from './nvidia-driver'

const folder = mkdtempSync(join(tmpdir(), 'nvidia-driver-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const file = (name: string, text: string): string => {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

describe("NVIDIA's driver", () => {
  it.each([
    ['580.159.04\n', '580.159.04'],
    [
      'NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.54.03  Tue Jun  6 22:20:39 UTC 2023\nGCC version:  gcc version 11.3.0\n',
      '535.54.03',
    ],
    [
      'NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.159.04  Release Build  (dvs-builder)\n',
      '580.159.04',
    ],
  ])('is told by %j', (text, version) => {
    expect(nvidiaDriver([join(folder, 'missing'), file('version', text)])).toBe(version)
  })

  it('is not known where nothing tells it', () => {
    expect(nvidiaDriver([join(folder, 'missing'), file('other', 'no version x86_64 here\n')])).toBeNull()
  })
})
