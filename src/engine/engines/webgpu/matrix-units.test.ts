import { expect, it } from 'vitest'
import { LabError } from '@shared/errors'
import type { Session } from '../engine'
import { preferMatrices } from './matrix-units'

const plain = (): Session => ({ warnings: ['Another.'] }) as unknown as Session

it('says what kept the matrix units from being used, once nothing else went wrong', async () => {
  const refuse = async () => {
    throw new LabError('engine-lost', 'webgpu.lost', 'The shader does not compile.')
  }
  const session = await preferMatrices(refuse, async () => plain())
  expect(session.warnings).toEqual([
    'Another.',
    'The matrix units could not be used, so the run took longer than it might have: The shader does not compile.',
  ])
  await expect(preferMatrices(refuse, () => Promise.reject(new Error('No device.')))).rejects.toThrow(
    'No device.',
  )
})

it('says nothing where there are none to try', async () => {
  const session = await preferMatrices(
    async () => null,
    async () => plain(),
  )
  expect(session.warnings).toEqual(['Another.'])
})
