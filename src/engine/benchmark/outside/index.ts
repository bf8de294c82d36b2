import { outsideSystems } from '@shared/benchmark/suite'
import { LabError } from '@shared/errors'
import type { OutsideRunner } from './outside'

const reason = 'Baselines outside this program cannot be run yet.'

/** The baselines that the python3 of the machine has. */
export const outsideRunner: OutsideRunner = {
  async reports() {
    return outsideSystems.map((system) => ({ system, available: false, version: null, reason }))
  },
  async prepare() {
    throw new LabError('engine-missing', 'outside.missing', reason)
  },
}
