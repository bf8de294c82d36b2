import { LabError } from '@shared/errors'

/** What exists already can be replaced by an option here, where the window asks. @param what `-o` names */
export function explainForce(thrown: unknown, what: 'file' | 'folder'): unknown {
  if (!(thrown instanceof LabError) || thrown.code !== 'export.exists') return thrown
  const message = thrown.message.replace(
    / exists: .*$/,
    ` exists: add --force to replace it, or choose another ${what} with -o.`,
  )
  return new LabError(thrown.kind, thrown.code, message, thrown.details)
}
