import { spawn, execFileSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { RunShape, VariantId } from '@shared/variant'

const sampledMs = 10

/** The command line, in a process of its own. */
export interface Program {
  readonly node: string
  readonly cli: string
}

interface PlansAnswer {
  readonly plans: readonly {
    readonly engine: string
    readonly variant: string
    readonly ram_bytes: number | null
  }[]
}

/** Bytes of the process at its peak, as `engines --regimes` foretells them. */
export function predictedBytes({ node, cli }: Program, { n, d, k }: RunShape): ReadonlyMap<string, number> {
  const shape = ['-n', String(n), '-d', String(d), '-k', String(k)]
  const text = execFileSync(node, [cli, 'engines', '--regimes', ...shape, '--json'], { encoding: 'utf8' })
  const { plans } = JSON.parse(text) as PlansAnswer
  const own = plans.filter(({ engine }) => engine === 'cpu')
  return new Map(own.map(({ variant, ram_bytes }) => [variant, ram_bytes ?? Number.NaN]))
}

/** A file of blobs. */
export function writeBlobs({ node, cli }: Program, folder: string, { n, d }: RunShape): string {
  const path = join(folder, `${n}x${d}.csv`)
  rmSync(path, { force: true })
  execFileSync(node, [cli, 'generate', 'blobs', '-n', String(n), '-d', String(d), '-k', '20', '-o', path])
  return path
}

/** What the command took at its peak to cluster a file. */
export async function measuredBytes(
  { node, cli }: Program,
  file: string,
  k: number,
  variant: VariantId,
): Promise<number> {
  const how = ['--engine', 'cpu', '--variant', variant, '--max-iterations', '3', '--json']
  const child = spawn(node, [cli, 'cluster', file, '-k', String(k), ...how], { stdio: 'ignore' })
  let peak = 0
  const timer = setInterval(() => (peak = Math.max(peak, peakOf(child.pid ?? 0))), sampledMs)
  const status = await new Promise<number | null>((resolve) => child.once('exit', resolve))
  clearInterval(timer)
  if (status !== 0)
    throw new Error(`cluster ${file} -k ${k} --variant ${variant} ended with status ${status}`)
  return peak
}

function peakOf(pid: number): number {
  try {
    return Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024
  } catch {
    return 0
  }
}
