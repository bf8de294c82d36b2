import { expect, it } from 'vitest'
import { LabError } from '@shared/errors'
import type { Session } from '../engine'
import { openPlanned, type Planned } from './open-planned'

const session = (): Session => ({ warnings: ['Another.'] }) as unknown as Session
const planned: Planned = {
  regime: 'matrix-filter',
  reason: 'Much to multiply.',
  otherwise: 'staged-points',
  reasonOtherwise: 'Scores spare half.',
}

/** Opens every regime but one, which fails. */
function failing(regime: string, error: Error) {
  return async (asked: string) => {
    if (asked === regime) throw error
    return session()
  }
}

const noShader = new LabError('engine-lost', 'webgpu.lost', 'The shader does not compile.')
const noMemory = new LabError('input', 'webgpu.out-of-memory', 'There is not enough memory.')

it('says by which regime it was opened, and why', async () => {
  const opened = await openPlanned(planned, { open: async () => session(), needsUnits: () => true })
  expect(opened.plan).toEqual({ regime: 'matrix-filter', reason: 'Much to multiply.' })
  expect(opened.warnings).toEqual(['Another.'])
})

it('says what kept the matrix units from being used, once nothing else went wrong', async () => {
  const needsUnits = (regime: string) => regime === 'matrix-filter'
  const opened = await openPlanned(planned, { open: failing('matrix-filter', noShader), needsUnits })
  expect(opened.plan).toEqual({ regime: 'staged-points', reason: 'Scores spare half.' })
  expect(opened.warnings).toEqual([
    'Another.',
    'The matrix units could not be used, which made the run slower: The shader does not compile.',
  ])
  const broken = { open: () => Promise.reject(new Error('No device.')), needsUnits }
  await expect(openPlanned(planned, broken)).rejects.toThrow('No device.')
})

it('goes without an order of the points where memory is short for it, and only then', async () => {
  const order = { ...planned, regime: 'plane-cells', otherwise: 'staged-points' }
  const needsUnits = () => false
  const opened = await openPlanned(order, { open: failing('plane-cells', noMemory), needsUnits })
  expect(opened.plan?.regime).toBe('staged-points')
  expect(opened.warnings).toEqual(['Another.'])
  const lost = { open: failing('plane-cells', noShader), needsUnits }
  await expect(openPlanned(order, lost)).rejects.toThrow('does not compile')
})

it('fails where a regime was forced', async () => {
  const forced = { ...planned, otherwise: null }
  const broken = { open: failing('matrix-filter', noShader), needsUnits: () => true }
  await expect(openPlanned(forced, broken)).rejects.toThrow('does not compile')
})
