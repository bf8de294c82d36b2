import { appVersion } from '@engine/app-version'
import { assertNever } from '@shared/assert-never'
import { toErrorReport, type ErrorReport } from '@shared/errors'
import { runProcesses } from '@engine/processes/run-processes'
import { parseArguments, type Command } from './arguments'
import { helpText } from './help'
import { printable, printableJson } from '@shared/printable'
import { showingControls, type CliIo } from './io'
import { refuseUnshared } from './under-mpi'

/**
 * The command line without its process: does what the arguments say and answers the exit status (spec section
 * 7). Nothing is thrown; a person never sees more than one sentence of what went wrong.
 */
export async function runCli(argv: readonly string[], outside: CliIo): Promise<number> {
  const io = { ...outside, stdout: showingControls(outside.stdout), stderr: showingControls(outside.stderr) }
  try {
    const command = parseArguments(argv)
    if (runProcesses() !== null) refuseUnshared(command.kind)
    return await carryOut(command, argv, io)
  } catch (thrown) {
    return fail(toErrorReport(thrown), argv.includes('--json'), io)
  }
}

/** Each command is loaded when it is used: help needs no engine, and an engine no window. */
async function carryOut(command: Command, argv: readonly string[], io: CliIo): Promise<number> {
  switch (command.kind) {
    case 'help':
      io.stdout.write(helpText(command.about))
      return 0
    case 'version':
      io.stdout.write(`${appVersion()}\n`)
      return 0
    case 'engines':
      return (await import('./engines')).engines(command.json, io)
    case 'regimes':
      return (await import('./regimes')).regimes(command.question, io)
    case 'cluster':
      return (await import('./cluster')).cluster(command.options, argv, io)
    case 'predict':
      return (await import('./predict')).predict(command.options, io)
    case 'verify':
      return (await import('./verify')).verify(command.options, io)
    case 'scan':
      return (await import('./scan')).scan(command.options, io)
    case 'judge':
      return (await import('./judge')).judge(command.options, io)
    case 'generate':
      return (await import('./generate')).generate(command.options, io)
    case 'bench':
      return (await import('./bench')).bench(command.options, io)
    case 'completions':
      io.stdout.write((await import('./completions')).completions(command.shell))
      return 0
    case 'manual':
      io.stdout.write((await import('./manual')).manual())
      return 0
    case 'open':
      return (await import('./open-window')).openWindow(command.file, io)
    default:
      return assertNever(command, 'the command')
  }
}

/** One sentence; with `--json`, whose standard output then stays empty, an object of one line that says it too. */
function fail(report: ErrorReport, asJson: boolean, io: CliIo): number {
  const { kind, code, details } = report
  const message = sentenceOf(report)
  io.stderr.write(`${asJson ? printableJson({ error: { kind, code, message } }) : printable(message)}\n`)
  if (io.env['CENTROID_LAB_DEBUG'] === '1' && details !== null) io.stderr.write(`${details}\n`)
  return exitStatus(report)
}

/** The launcher cancels what is left of a run whose process ended. */
function sentenceOf({ kind, message }: ErrorReport): string {
  const processes = runProcesses()
  if (kind !== 'cancelled' || processes === null) return message
  return `The run was cancelled, or one of its ${processes.size} processes ended; no file of it was left half-written.`
}

/** Exit status of a failure: 2 wrong use or unusable input, 130 cancelled, 1 anything that went wrong on the way. */
export function exitStatus({ kind, code }: ErrorReport): number {
  switch (kind) {
    case 'input':
      return 2
    case 'io':
      return /^(export|system)\./.test(code) ? 1 : 2
    case 'cancelled':
      return 130
    case 'engine-missing':
    case 'engine-lost':
    case 'internal':
      return 1
    default:
      return assertNever(kind, 'the kind of an error')
  }
}
