import { LabError } from '@shared/errors'
import { orAborted } from '../../slices'
import { Interpreters } from './interpreters'
import type { OutsideRunner } from './outside'
import { PythonSession } from './python-session'

/** The baselines that a python3 of the machine has. */
export function pythonRunner(interpreters: Interpreters): OutsideRunner {
  return {
    reports: () => interpreters.reports(),
    async prepare(system, job, signal) {
      const found = await orAborted(interpreters.find(system), signal)
      if ('reason' in found) throw new LabError('engine-missing', 'outside.missing', found.reason)
      return PythonSession.open(found.path, system, job, signal)
    },
  }
}

export const outsideRunner: OutsideRunner = pythonRunner(new Interpreters())
