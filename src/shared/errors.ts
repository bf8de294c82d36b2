import { isWithoutFolder, systemTrouble } from './system-errors'

/**
 * What kind of failure it was. The command line turns the kind into an exit status (spec section 7), the
 * window into a state:
 * - `input`: wrong use or unusable input (exit 2)
 * - `engine-missing`: the engine or device asked for is not there (exit 1)
 * - `engine-lost`: a device or the engine process died while working (exit 1)
 * - `io`: a file could not be read or written (exit 1 while writing, 2 while reading input)
 * - `cancelled`: the person asked to stop (exit 130)
 * - `internal`: a fault of ours (exit 1)
 */
export const errorKinds = ['input', 'engine-missing', 'engine-lost', 'io', 'cancelled', 'internal'] as const
export type ErrorKind = (typeof errorKinds)[number]

/** An error as it crosses a process boundary. `message` is one sentence: what, where, what to do. */
export interface ErrorReport {
  readonly kind: ErrorKind
  /** Stable word for tests and for the window, e.g. `csv.not-text`. */
  readonly code: string
  readonly message: string
  /** Technical cause, offered for copying; never shown first. */
  readonly details: string | null
}

/**
 * The engine process itself ended, or does not start: `HostState` says how it stands by now, so that an answer that
 * failed for it has nothing to add. (A device that was lost has codes of its own.)
 */
export const engineProcessCodes = {
  ended: 'engine-lost',
  missingNode: 'engine-no-node',
  givenUp: 'engine-given-up',
} as const

export function isOfEngineProcess({ code }: ErrorReport): boolean {
  return Object.values<string>(engineProcessCodes).includes(code)
}

/** The one error class of the product: every failure a person may see is thrown as one of these. */
export class LabError extends Error {
  readonly kind: ErrorKind
  readonly code: string
  readonly details: string | null

  constructor(kind: ErrorKind, code: string, message: string, details: string | null = null) {
    super(message)
    this.name = 'LabError'
    this.kind = kind
    this.code = code
    this.details = details
  }

  report(): ErrorReport {
    return { kind: this.kind, code: this.code, message: this.message, details: this.details }
  }

  static from(report: ErrorReport): LabError {
    return new LabError(report.kind, report.code, report.message, report.details)
  }
}

/** Anything thrown, as a report. What is not a LabError is a fault of ours and keeps its stack as details. */
export function toErrorReport(thrown: unknown): ErrorReport {
  if (thrown instanceof LabError) return thrown.report()
  const error = thrown instanceof Error ? thrown : new Error(String(thrown))
  if (error.name === 'AbortError') return new LabError('cancelled', 'cancelled', 'Cancelled.').report()
  return refusedBySystem(error) ?? faultOfOurs(error)
}

/** What no one place has worded: a limit of the system that was met anywhere. */
function refusedBySystem(error: Error): ErrorReport | null {
  if (isWithoutFolder(error)) {
    const message =
      'The folder in which this program was started no longer exists: change to another one (cd) and start it again.'
    return new LabError('input', 'system.no-folder', message, error.message).report()
  }
  const trouble = systemTrouble(error)
  if (trouble === null) return null
  const { word, why, remedy } = trouble
  const location = 'path' in error ? ` with ${shown(error.path)}` : ''
  const message = `The work${location} could not go on, because ${why}: ${remedy}.`
  return new LabError('io', `system.${word}`, message, error.message).report()
}

function faultOfOurs(error: Error): ErrorReport {
  return {
    kind: 'internal',
    code: 'internal',
    message: `Something went wrong inside Centroid Lab: ${error.message}. Your data and results are kept; please copy the details and report them.`,
    details: error.stack ?? error.message,
  }
}

/** The sentence form for arguments: `Expected <what> for <name> but received <value>`. */
export function invalidArgument(expected: string, name: string, received: unknown): LabError {
  return new LabError(
    'input',
    'argument',
    `Expected ${expected} for ${name} but received ${shown(received)}.`,
  )
}

const maxShown = 200

/** A value as a sentence shows it: never more than a line of it, and whatever it is. */
function shown(received: unknown): string {
  const text = textOf(received)
  const short = text.length > maxShown ? `${text.slice(0, maxShown)}…` : text
  return typeof received === 'string' ? `'${short}'` : short
}

/** What comes from outside may carry a `toString` of its own, which is no function. */
function textOf(received: unknown): string {
  try {
    return String(received ?? 'nothing')
  } catch {
    return 'an object'
  }
}

export function cancelled(): LabError {
  return new LabError('cancelled', 'cancelled', 'Cancelled.')
}
