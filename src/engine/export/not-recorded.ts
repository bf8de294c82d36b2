import { LabError } from '@shared/errors'

/** The export needs something that a run keeps only when it was asked to before it began. */
export function notRecorded(what: 'history' | 'centroid history'): LabError {
  return new LabError(
    'input',
    'export.not-recorded',
    `This run kept no ${what}: run again with the history switched on (--history), then export.`,
  )
}
