/** `npm run bench:predictions`: time of an iteration and memory of a run, as the plan foretells them, beside what happens. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { toErrorReport } from '@shared/errors'
import type { RunShape, VariantId } from '@shared/variant'
import { shapes, variants } from './cases'
import { measuredBytes, predictedBytes, writeBlobs, type Program } from './memory'
import { timesOf } from './times'

const usage = `npm run bench:predictions -- [--what time|memory] [--only N,D,K] [--variant NAME]

  Time: milliseconds of processor an iteration, one thread. Memory: the peak of a process that clusters a CSV file.
`
const bound = 0.3

interface Row {
  readonly shape: RunShape
  readonly variant: VariantId
  readonly predicted: number
  readonly measured: number
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      what: { type: 'string' },
      only: { type: 'string' },
      variant: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help === true) {
    console.log(usage)
    return 0
  }
  const chosen = values.only === undefined ? shapes : [shapeOf(values.only)]
  const tried = variants.filter((id) => values.variant === undefined || values.variant === id)
  if (values.what !== 'memory') print('ms an iteration', await times(chosen, tried))
  if (values.what !== 'time') print('MB', await memory(chosen, tried))
  return 0
}

/** Any, not only those of the list. */
function shapeOf(text: string): RunShape {
  const [n, d, k] = text.split(',').map(Number)
  if (!(n > 0 && d > 0 && k > 0)) throw new Error(`Expected N,D,K for --only but received ${text}`)
  return { n, d, k }
}

async function times(chosen: readonly RunShape[], tried: readonly VariantId[]): Promise<Row[]> {
  const rows: Row[] = []
  for (const shape of chosen) {
    for (const variant of tried) {
      const row = { shape, variant, ...(await timesOf(variant, shape)) }
      console.error(line(row))
      rows.push(row)
    }
  }
  return rows
}

async function memory(chosen: readonly RunShape[], tried: readonly VariantId[]): Promise<Row[]> {
  const { CENTROID_LAB_CLI: cli } = process.env
  if (cli === undefined) throw new Error('CENTROID_LAB_CLI names no command line')
  const program: Program = { node: process.execPath, cli }
  const folder = mkdtempSync(join(tmpdir(), 'centroid-lab-predictions-'))
  const rows: Row[] = []
  try {
    for (const shape of chosen) {
      const foretold = predictedBytes(program, shape)
      const file = writeBlobs(program, folder, shape)
      for (const variant of tried) {
        const bytes = await measuredBytes(program, file, shape.k, variant)
        const predicted = (foretold.get(variant) ?? Number.NaN) / 1e6
        const row = { shape, variant, predicted, measured: bytes / 1e6 }
        console.error(line(row))
        rows.push(row)
      }
      rmSync(file)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return rows
}

function shown(value: number): string {
  return String(Number(value.toPrecision(3))).replace(/^0\./, '.')
}

function line({ shape: { n, d, k }, variant, predicted, measured }: Row): string {
  return `${n} x ${d}, ${k} ${variant}: ${shown(predicted)} foretold, ${shown(measured)} measured, ${shown(predicted / measured)}`
}

/** Foretold, measured and their ratio, a column for each variant. */
function print(unit: string, rows: readonly Row[]): void {
  const off = rows.filter(({ predicted, measured }) => !(Math.abs(predicted / measured - 1) <= bound))
  const sorted = rows.map(({ predicted, measured }) => predicted / measured).sort((a, b) => a - b)
  const columns = [...new Set(rows.map(({ variant }) => `\`${variant}\``))]
  console.log(`\n| ${unit}, foretold / measured | ${columns.join(' | ')} |`)
  console.log(`| --- |${' --- |'.repeat(columns.length)}`)
  const names = new Set(rows.map(({ shape: { n, d, k } }) => `${n} × ${d}, ${k}`))
  for (const name of names) {
    const cells = rows
      .filter(({ shape: { n, d, k } }) => `${n} × ${d}, ${k}` === name)
      .map(
        ({ predicted, measured }) =>
          `${shown(predicted)} / ${shown(measured)} = ${shown(predicted / measured)}`,
      )
    console.log(`| ${name} | ${cells.join(' | ')} |`)
  }
  console.log(
    `\n${rows.length - off.length} of ${rows.length} within ${bound * 100} %; median ${shown(sorted[Math.floor(sorted.length / 2)] ?? NaN)}`,
  )
}

process.exitCode = await main().catch((error: unknown) => {
  console.error(toErrorReport(error).message)
  return 1
})
