/** `npm run bench:textbook`: `sequential` and `eigen` beside two textbook programs, in turns. See README.md. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { machineFacts } from '@engine/machine'
import { machineLine } from '@shared/benchmark/machine-text'
import { toErrorReport } from '@shared/errors'
import { compare, maxDifference } from './compare'
import { compiler, compilerVersion, flags, Textbook } from './programs'
import { comparisonTable, type Comparison } from './report'
import { workloads } from './workloads'

const usage = `npm run bench:textbook -- [options]

  --repeats N   turns of each program that count (5)
  --scale F     F times as many points, for a quick look (1)
  --only TEXT   only shapes such as 2,5 (d,k)
  -o FILE       where the Markdown table goes as well
`

process.exitCode = await main().catch((error: unknown) => {
  console.error(toErrorReport(error).message)
  return 1
})

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      repeats: { type: 'string', default: '5' },
      scale: { type: 'string', default: '1' },
      only: { type: 'string' },
      output: { type: 'string', short: 'o' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.help) {
    console.log(usage)
    return 0
  }
  const chosen = workloads(Number(values.scale)).filter(
    ({ d, k }) => values.only === undefined || values.only === `${d},${k}`,
  )
  const comparisons = await compareAll(chosen, Number(values.repeats))
  const text = await report(comparisons, Number(values.repeats))
  console.log(text)
  if (values.output !== undefined) writeFileSync(resolve(values.output), text)
  return 0
}

async function compareAll(chosen: ReturnType<typeof workloads>, repeats: number): Promise<Comparison[]> {
  const folder = mkdtempSync(join(tmpdir(), 'centroid-lab-textbook-'))
  try {
    const textbook = await Textbook.compile(folder)
    const comparisons: Comparison[] = []
    for (const workload of chosen) {
      console.error(`${workload.data}: N = ${workload.n}, d = ${workload.d}, k = ${workload.k}`)
      comparisons.push({ workload, turns: await compare(textbook, workload, repeats) })
    }
    return comparisons
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function report(comparisons: readonly Comparison[], repeats: number): Promise<string> {
  const date = new Date().toISOString()
  return [
    '# `sequential` and `eigen` beside textbook programs',
    [
      `- ${machineLine(await machineFacts('cpu'), date)}`,
      `- textbook programs: ${await compilerVersion()}, ${compiler} ${flags.join(' ')}, one thread`,
      `- milliseconds of processor time an iteration, median of ${repeats} turns (least of them); ratios: median of those of each turn (of the least times)`,
      `- same points, same start, same number of iterations; final centroids agree within ${maxDifference} of their column's range`,
    ].join('\n'),
    comparisonTable(comparisons),
    '',
  ].join('\n\n')
}
