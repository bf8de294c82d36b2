import { resolve } from 'node:path'
import { changeSuite } from '@engine/benchmark/change-suite'
import { withDataWarnings } from '@engine/benchmark/data-warnings'
import { newDocument } from '@engine/benchmark/new-document'
import { planSuite } from '@engine/benchmark/plan'
import { presets } from '@engine/benchmark/presets'
import { runBenchmark } from '@engine/benchmark/run-benchmark'
import { productDependencies, type BenchmarkDependencies } from '@engine/benchmark/dependencies'
import { asOnlyWriter } from '@engine/export/folder-lock'
import type { BenchmarkDocument, CellKey, PlannedCell } from '@shared/benchmark/document'
import { markdownOf } from '@shared/benchmark/markdown'
import type { BenchmarkEvent, Plan } from '@shared/benchmark/requests'
import { dataNotes } from '@shared/benchmark/table-notes'
import { LabError } from '@shared/errors'
import { formatCount } from '@shared/quantity-words'
import { printable, printableJson } from '@shared/printable'
import type { BenchOptions } from './bench-arguments'
import { comparisonOf, type Asked } from './bench-comparison'
import { BenchFolder } from './bench-files'
import { CrashMarker } from './crash-marker'
import { benchText } from './bench-output'
import { duration, planSummary, planTable } from './bench-plan'
import { failureOf } from './failure-of'
import type { CliIo } from './io'
import { applyMemoryChoice } from './memory-arguments'
import { Progress } from './progress'
import { textTable } from './text-table'

/** `centroid-lab bench`: from a suite or data to tables of execution times. @returns exit status */
export async function bench(options: BenchOptions, io: CliIo): Promise<number> {
  if (options.list || options.source === null) return listPresets(options, io)
  const progress = new Progress(io.stderr)
  try {
    applyMemoryChoice(options.memory)
    const asked = await comparisonOf(options, options.source)
    if (options.output !== null && !options.plan) await BenchFolder.check(options.output, options.force)
    const dependencies = productDependencies(nothingLoaded)
    const begun = await begin(asked, options, dependencies, io, progress)
    const plan = openPlan(begun)
    progress.clear()
    warnOfData(begun, io)
    if (options.plan) return printPlan(plan, begun, options, io)
    requireUsable(begun.plan)
    const work = () => measureInto(asked, begun, plan, options, dependencies, io, progress)
    const target = targetOf(asked, options)
    return await (target === null ? work() : asOnlyWriter(target, work))
  } finally {
    progress.clear()
  }
}

/** As `cluster` does, before hours are spent on data that are not what was meant. */
function warnOfData(begun: BenchmarkDocument, { stderr }: CliIo): void {
  for (const note of dataNotes(begun)) stderr.write(`Warning: ${printable(note)}\n`)
}

async function measureInto(
  asked: Asked,
  begun: BenchmarkDocument,
  plan: Plan,
  options: BenchOptions,
  dependencies: BenchmarkDependencies,
  io: CliIo,
  progress: Progress,
): Promise<number> {
  const warn = (sentence: string) => {
    progress.clear()
    io.stderr.write(`${printable(sentence)}\n`)
  }
  const folder = await folderOf(asked, options, warn)
  progress.clear()
  io.stderr.write(outlook(plan, begun))
  const isDone = begun.state === 'done' && plan.cells.length === 0
  if (isDone) await folder?.keep(begun)
  const document = isDone ? begun : await runKept(begun, dependencies, folder, io, progress)
  progress.clear()
  return finish(document, folder, options, io)
}

/** The folder that the comparison is written into. */
function targetOf(asked: Asked, { output }: BenchOptions): string | null {
  if (output !== null) return resolve(output)
  return asked.kind === 'document' ? resolve(asked.folder) : null
}

/** The comparison with its plan. */
async function begin(
  asked: Asked,
  options: BenchOptions,
  dependencies: BenchmarkDependencies,
  io: CliIo,
  progress: Progress,
): Promise<BenchmarkDocument> {
  const { baseline } = options.changes
  if (asked.kind === 'document' && asked.document.plan.length > 0) {
    const changes = { ...(baseline !== undefined && { baseline }), config: {} }
    return { ...asked.document, suite: changeSuite(asked.document.suite, changes) }
  }
  const suite = asked.kind === 'document' ? asked.document.suite : asked.suite
  progress.update('calibrating…')
  const { cells } = await planSuite(suite, dependencies, io.signal)
  const planned =
    asked.kind === 'document' ? { ...asked.document, plan: cells } : await newDocument(suite, cells)
  return withDataWarnings(planned, dependencies.datasets)
}

function nothingLoaded(): never {
  const message = 'This suite names a file that was loaded in a window: name the file itself in the suite.'
  throw new LabError('input', 'dataset.unknown', message)
}

/** @throws LabError `bench.unusable` when no machine could measure any of it: the data cannot be read, or hold fewer points than clusters. */
function requireUsable(plan: readonly PlannedCell[]): void {
  const reason = plan[0]?.skipped ?? null
  if (reason === null || plan.some(({ n, k }) => n > 0 && k <= n)) return
  throw new LabError('input', 'bench.unusable', reason)
}

/** What is still to be done. */
function openPlan({ plan, rows }: BenchmarkDocument): Plan {
  const keyOf = ({ dataset, k, contender }: CellKey) => JSON.stringify([dataset, k, contender])
  const done = new Set(rows.map(keyOf))
  const cells = plan.filter((cell) => !done.has(keyOf(cell)))
  const running = cells.filter(({ skipped }) => skipped === null)
  const isKnown = running.every(({ predictedMs }) => predictedMs !== null)
  const predictedMs = running.reduce((sum, { predictedMs: ms }) => sum + (ms ?? 0), 0)
  return { cells, predictedMs: isKnown ? predictedMs : null }
}

/** A comparison that is resumed stays in its folder, whose files are its own. */
async function folderOf(
  asked: Asked,
  { output, force, text }: BenchOptions,
  warn: (sentence: string) => void,
): Promise<BenchFolder | null> {
  if (output !== null) return BenchFolder.open(output, force, text, warn)
  return asked.kind === 'document' ? BenchFolder.open(asked.folder, true, text, warn) : null
}

async function runKept(
  begun: BenchmarkDocument,
  dependencies: BenchmarkDependencies,
  folder: BenchFolder | null,
  io: CliIo,
  progress: Progress,
): Promise<BenchmarkDocument> {
  const kept = folder === null ? null : await CrashMarker.after(folder.path, begun)
  const ended = await runBenchmark(kept?.document ?? begun, dependencies, {
    signal: io.signal,
    turn: async () => undefined,
    exclusive: (run) => run(),
    mark: (cell) => kept?.marks.mark(cell),
    report: (event) => report(event, progress),
    keep: async (document, isDue) => {
      if (isDue) await folder?.keep(document)
    },
  })
  kept?.marks.unmark()
  return ended
}

function report(event: BenchmarkEvent, progress: Progress): void {
  if (event.kind !== 'progress') return
  const { cell, stage, runsDone, runs, remainingMs } = event
  const left = remainingMs === null ? '' : `, ${duration(remainingMs)} left`
  const doing = `${stage.replace('-', ' ')} ${cell.contender} on ${cell.dataset}, k = ${cell.k}`
  progress.update(`${runsDone} of ${runs} runs${left}: ${doing}`)
}

async function finish(
  document: BenchmarkDocument,
  folder: BenchFolder | null,
  options: BenchOptions,
  io: CliIo,
): Promise<number> {
  if (document.state !== 'done') throw await endedEarly(document, folder)
  const files: string[] = []
  const writing = folder && folder.write(document, io.signal, (path) => files.push(path))
  // What was measured is printed also where its files find no room.
  const failure = await failureOf(writing, io.signal)
  io.stdout.write(textOf(document, files, options.format))
  if (failure !== null) throw failure.thrown
  if (document.rows.some(({ state }) => state === 'measured')) return 0
  const [row] = document.rows
  const why = row?.reason ?? 'there was nothing to measure.'
  throw new LabError(
    'engine-missing',
    'bench.nothing',
    `No contender was measured, the first because: ${why}`,
  )
}

function textOf(
  document: BenchmarkDocument,
  files: readonly string[],
  format: BenchOptions['format'],
): string {
  if (format === 'json') return `${printableJson({ ...document, ...(files.length > 0 && { files }) })}\n`
  return format === 'markdown' ? markdownOf(document) : benchText(document, files)
}

async function endedEarly(document: BenchmarkDocument, folder: BenchFolder | null): Promise<LabError> {
  const done = `${document.rows.length} of ${document.plan.length} rows were finished`
  const failure = (await folder?.keptAtLast(document)) ?? null
  if (failure !== null) {
    const message = `Cancelled: ${done}, but they could not be kept: ${failure.message}`
    return new LabError('cancelled', 'cancelled', message, failure.details)
  }
  const kept =
    folder === null
      ? 'nothing is kept without -o DIR'
      : `resume with centroid-lab bench --resume ${folder.document}`
  return new LabError('cancelled', 'cancelled', `Cancelled: ${done}, ${kept}.`)
}

function printPlan(plan: Plan, begun: BenchmarkDocument, { format }: BenchOptions, io: CliIo): number {
  const table = plan.cells.length === 0 ? '' : `${planTable(plan, begun.suite)}\n`
  io.stdout.write(format === 'json' ? `${printableJson(plan)}\n` : `${table}${outlook(plan, begun)}`)
  return 0
}

/** What is going to be done. */
function outlook(plan: Plan, { rows, suite }: BenchmarkDocument): string {
  if (plan.cells.length > 0) return planSummary(plan, suite)
  return `Every row of this comparison (${formatCount(rows.length)}) was finished already: nothing is measured again.\n`
}

function listPresets({ scale, format }: BenchOptions, io: CliIo): number {
  const all = presets(scale ?? 1).map(({ id, suite }) => ({
    id,
    name: suite.name,
    description: suite.description,
    cells: suite.cases.reduce((sum, { k }) => sum + k.length, 0) * suite.contenders.length,
  }))
  const rows = all.map(({ id, name, cells }) => [id, name, String(cells)])
  const text = `${textTable(['preset', 'name', 'cells'], rows, ['preset', 'name'])}\n${all.map(presetText).join('')}`
  io.stdout.write(format === 'json' ? `${printableJson({ presets: all })}\n` : text)
  return 0
}

function presetText({ id, description }: { readonly id: string; readonly description: string }): string {
  return `${id}: ${description}\n`
}
