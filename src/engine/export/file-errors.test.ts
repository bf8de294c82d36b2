import { describe, expect, it } from 'vitest'
import { LabError } from '@shared/errors'
import { writeFailure } from './file-errors'

const failed = (code: string) => Object.assign(new Error(`${code}: open`), { code, syscall: 'open' })

describe('what the file system says', () => {
  const codes = [
    'EEXIST',
    'ENOENT',
    'ENOTDIR',
    'EISDIR',
    'EACCES',
    'EPERM',
    'EROFS',
    'EFBIG',
    'ENOSPC',
    'EDQUOT',
    'EIO',
  ]

  it.each(codes)('%s becomes one sentence with the place and a way on', (code) => {
    const error = writeFailure(failed(code), '/data/out/labels.csv')
    expect(error).toBeInstanceOf(LabError)
    expect(error).toHaveProperty('message', expect.stringMatching(/^[^.]*(\/data\/out|labels\.csv)[^\n]*\.$/))
    expect(error).toHaveProperty('details', `${code}: open`)
  })

  it('permission missing and a full disk keep their own codes', () => {
    expect(writeFailure(failed('EACCES'), '/x')).toMatchObject({ code: 'export.not-writable', kind: 'io' })
    expect(writeFailure(failed('ENOSPC'), '/x')).toMatchObject({ code: 'export.disk-full', kind: 'io' })
  })

  it('other errors pass unchanged', () => {
    const own = new LabError('cancelled', 'cancelled', 'Cancelled.')
    const fault = new RangeError('Invalid array length')
    expect(writeFailure(own, '/x')).toBe(own)
    expect(writeFailure(fault, '/x')).toBe(fault)
  })
})
