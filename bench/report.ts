import { machineLine } from '@shared/benchmark/machine-text'
import { escaped, markdownRows } from '@shared/benchmark/markdown'
import type { MachineFacts } from '@shared/run-record'
import { textTable } from '../src/cli/text-table'
import type { Configuration } from './configurations'
import type { Entry, Report } from './entry'

const columns = [
  'variant',
  'device',
  'ms an iteration, best',
  'median',
  '× floor',
  'run ms',
  'iterations',
  'open ms',
  'note',
] as const
const headers = columns.map((name) => ({ name }))
/** Columns of the terminal's table that stand to the left. */
const words = ['configuration', 'variant', 'device', 'note']

/** The whole report as Markdown: the machine, then a table for each configuration, fastest first. */
export function markdown(report: Report): string {
  const tables = groups(report.entries).map(([configuration, entries]) => {
    const rows = byTime(entries).map((entry) => cells(entry).map(escaped))
    return [`## ${titleOf(configuration)}`, floorLine(entries), markdownRows(headers, rows)].join('\n\n')
  })
  return [`# Kernels, ${report.date.slice(0, 10)}`, machineLines(report), ...tables].join('\n\n') + '\n'
}

/** The same for a terminal: one line an entry. */
export function plainTable(report: Report): string {
  const rows = groups(report.entries).flatMap(([configuration, entries]) =>
    byTime(entries).map((entry) => [configuration.name, ...cells(entry)]),
  )
  return textTable(['configuration', ...columns], rows, words)
}

/** A name for the files of a machine: its first GPU that took part, else its processor. */
export function machineName(machine: MachineFacts, devices: readonly string[]): string {
  const gpu = machine.devices.find((device) => {
    const id = device.split(': ')[0]
    return id !== 'cpu' && devices.includes(id)
  })
  const name = gpu?.replace(/^[^:]*:\d+: /, '') ?? machine.cpu
  const words = name.toLowerCase().replaceAll(/\((r|tm)\)/g, ' ')
  return words
    .replaceAll(/[^a-z0-9.]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60)
}

function groups(entries: readonly Entry[]): [Configuration, Entry[]][] {
  const configurations = new Map(entries.map(({ configuration }) => [configuration.name, configuration]))
  return [...configurations].map(([name, configuration]) => [
    configuration,
    entries.filter((entry) => entry.configuration.name === name),
  ])
}

function byTime(entries: readonly Entry[]): Entry[] {
  const time = ({ iteration }: Entry) => iteration?.best ?? Number.POSITIVE_INFINITY
  return entries.toSorted((a, b) => time(a) - time(b) || a.variant.localeCompare(b.variant))
}

function cells({ variant, device, iteration, floorMs, run, openMs, outcome, reason }: Entry): string[] {
  const ratio = iteration !== null && floorMs !== null ? (iteration.best / floorMs).toFixed(2) : '-'
  return [
    variant,
    device,
    shown(iteration?.best),
    shown(iteration?.median),
    ratio,
    shown(run?.ms),
    run === null ? '-' : `${run.iterations}${run.converged ? '' : ', not converged'}`,
    shown(openMs),
    outcome === 'measured' ? '' : `${outcome.toUpperCase()}: ${reason ?? ''}`,
  ]
}

/** Four digits, never as a power of ten. */
function shown(ms: number | null | undefined): string {
  if (ms === null || ms === undefined) return '-'
  if (ms >= 1000) return ms.toFixed(0)
  return ms.toFixed(Math.min(6, Math.max(0, 3 - Math.floor(Math.log10(Math.max(ms, 1e-6))))))
}

function titleOf({ name, n, d, k }: Configuration): string {
  return `${name}: N = ${n.toLocaleString('en')}, d = ${d}, k = ${k}`
}

function floorLine(entries: readonly Entry[]): string {
  const floors = new Map(entries.map(({ device, floorMs }) => [device, floorMs]))
  return [...floors]
    .map(([device, ms]) => `Floor of ${device}: ${ms === null ? 'unknown' : `${shown(ms)} ms`}.`)
    .join(' ')
}

function machineLines({ machine, floors, commit, date, secondsPerEntry, scale }: Report): string {
  const rates = Object.entries(floors).flatMap(([device, found]) =>
    found === null
      ? []
      : [
          `${device} ${(found.productsPerMs / 1e6).toFixed(1)} G multiply-adds/s, ${(found.bytesPerMs / 1e6).toFixed(1)} GB/s`,
        ],
  )
  return [
    `- ${machineLine(machine, date)}`,
    `- measured in this run: ${rates.join('; ') || 'no floors'}`,
    `- commit ${commit}; ${scale === 1 ? 'full size' : `${scale} times the points`}; cut at ${secondsPerEntry} s an entry`,
    '- Blobs, random rows as centroids; one iteration is assignment, update and new centroids. A run stops by relative shift 1e-4 or',
    '  after 300 iterations, without upload and final labels. Labels and centroids were verified in float64 before the timing.',
  ].join('\n')
}
