import { LabError } from '@shared/errors'

/** What is wrong with a folder of step pairs: `input`, one sentence that names the folder or the file. */
export function stepsError(code: string, sentence: string, details: string | null = null): LabError {
  return new LabError('input', `steps.${code}`, sentence, details)
}
