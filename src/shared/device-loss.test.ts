import { expect, it } from 'vitest'
import { adviceAfter, insteadOf, onAnotherEngine, successors } from './device-loss'
import { defaultRunConfig } from './run-config'
import { engineIds } from './variant'

it.each([
  ['cuda', ['webgpu', 'cpu'], 'cpu', 'cpu'],
  ['webgpu', ['cpu'], 'cpu', 'cpu'],
  ['cpu', ['cpu'], null, 'webgpu'],
] as const)('after a loss on %s come %o, instead of it %s, and %s is named', (lost, next, instead, named) => {
  expect([successors[lost], insteadOf(lost), adviceAfter(lost)]).toEqual([next, instead, named])
})

it('what was chosen for us and lost at once is not chosen a second time', () => {
  expect(insteadOf(null)).toBe('cpu')
})

it.each(engineIds)('nothing of the lost engine is asked of %s', (engine) => {
  const config = {
    ...defaultRunConfig,
    engine: 'cuda',
    device: 'cuda:1',
    variant: 'thrust',
    regime: 'tiled',
  } as const
  const same = { k: config.k, seed: config.seed, stop: config.stop }
  expect(onAnotherEngine({ ...config, engine: 'cuda' }, engine)).toMatchObject({
    ...same,
    ...{ engine, device: null, variant: 'auto', regime: null },
  })
})
