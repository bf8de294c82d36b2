import { describe, expect, it } from 'vitest'
import { writeFailure } from '@engine/export/file-errors'
import { toErrorReport, type LabError } from '@shared/errors'
import { readFailure } from './source-errors'

const failed = (code: string) =>
  Object.assign(new Error(`${code}: open`), { code, syscall: 'open', path: '/d/x' })
const codes: readonly [string, string][] = [
  ['EMFILE', 'too-many-files'],
  ['ENFILE', 'too-many-files'],
  ['ENOMEM', 'no-memory'],
  ['ELOOP', 'link-loop'],
  ['ENAMETOOLONG', 'name-too-long'],
  ['EIO', 'disk-error'],
  ['ESTALE', 'network-drive'],
  ['EDQUOT', 'disk-full'],
  ['ENOSPC', 'disk-full'],
  ['EFBIG', 'file-too-large'],
  ['EROFS', 'read-only'],
  ['ENXIO', 'device-gone'],
]

describe('what the system refuses', () => {
  it.each(codes)('%s says what it is and what to do: reading, writing, anywhere', (system, word) => {
    const read = readFailure('/d/x.csv', failed(system))
    const write = writeFailure(failed(system), '/d/x.csv')
    const report = toErrorReport(failed(system))
    expect([read.code, (write as LabError).code, report.code]).toEqual([
      `csv.${word}`,
      `export.${word}`,
      `system.${word}`,
    ])
    for (const { message } of [read, write as LabError, report]) {
      expect(message).toMatch(/\/d\/x.* because .*: .*[^.]\.$/)
    }
  })

  it('an array that V8 has no room for is a want of memory and no fault of ours', () => {
    const thrown = (() => {
      try {
        return new ArrayBuffer(2 ** 52)
      } catch (error) {
        return error
      }
    })()
    const report = toErrorReport(thrown)
    expect(report).toMatchObject({ kind: 'io', code: 'system.no-memory' })
    expect(report.message).toMatch(/memory .* used up: close other programs/)
    expect(readFailure('/d/x.csv', thrown)).toMatchObject({ code: 'csv.no-memory' })
  })

  it('a fault of ours stays one', () => {
    expect(toErrorReport(new TypeError('x is undefined'))).toMatchObject({
      kind: 'internal',
      code: 'internal',
    })
  })
})
