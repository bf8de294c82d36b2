import { plural } from '../quantity-words'
import type { MachineFacts } from '../run-record'
import { significant } from './significant'
import { t } from '../locale/translate'

/** One fact of the machine, e.g. `GPU`: `NVIDIA H200`. */
export interface MachineFact {
  readonly name: string
  readonly value: string
}

/**
 * The machine as every table names it (spec section 5): processor, memory, devices, drivers, operating system,
 * versions, compilers and flags, date. Nothing is said of what is not known.
 * @param startedAt ISO 8601
 */
export function machineDescription(machine: MachineFacts, startedAt: string): readonly MachineFact[] {
  const versions = Object.entries(machine.versions).filter(([name]) => name !== 'app')
  const app = machine.versions['app']
  return [
    { name: 'CPU', value: `${machine.cpu}, ${threadsText(machine.cores)}` },
    { name: t('benchmark-tables.memory'), value: `${significant(machine.memoryBytes / 2 ** 30)} GiB` },
    ...devicesBesideTheProcessor(machine).map((value) => ({ name: 'GPU', value })),
    { name: t('benchmark-tables.operatingSystem'), value: machine.os },
    ...(app === undefined ? [] : [{ name: 'Centroid Lab', value: app }]),
    ...versions.map(([name, value]) => ({ name: spelled(name), value })),
    { name: t('benchmark-tables.date'), value: dateText(startedAt) },
  ].filter(({ value }) => value !== '')
}

/** The same in one line, for captions: the processor, the devices, the system, what drives them, the date. */
export function machineLine(machine: MachineFacts, startedAt: string): string {
  return machineDescription(machine, startedAt)
    .filter(({ name }) => name !== t('benchmark-tables.memory'))
    .map(({ name, value }) => (unnamed().has(name) ? value : `${name} ${value}`))
    .join('; ')
}

const unnamed = () =>
  new Set(['CPU', 'GPU', t('benchmark-tables.operatingSystem'), t('benchmark-tables.date')])

/** `cpu: ...` is the processor again. */
function devicesBesideTheProcessor({ devices }: MachineFacts): readonly string[] {
  return devices.filter((device) => !device.startsWith('cpu:'))
}

function threadsText(cores: number): string {
  return plural(cores, 'thread')
}

/** `cpu compiler` as `CPU compiler`. */
function spelled(name: string): string {
  const engine = name
    .replace(/^cpu\b/, 'CPU')
    .replace(/^cuda\b/, 'CUDA')
    .replace(/^webgpu\b/, 'WebGPU')
  return engine.charAt(0).toUpperCase() + engine.slice(1)
}

/** `2026-11-21 13:50 UTC`; as it stands when it is no date. */
function dateText(iso: string): string {
  const date = new Date(iso)
  if (Number.isNaN(date.getTime())) return iso
  return `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
