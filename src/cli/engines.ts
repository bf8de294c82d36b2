import { listEngines } from '@engine/engines/list'
import { gradeOf, isApproximate } from '@shared/approximate'
import { formatBytes } from '@shared/quantity-words'
import type { Device, EngineReport } from '@shared/variant'
import { printableJson } from '@shared/printable'
import type { CliIo } from './io'

/** `centroid-lab engines`: what this machine can compute on. @returns exit status 0, also when nothing is there */
export async function engines(json: boolean, io: CliIo): Promise<number> {
  const reports = await listEngines()
  io.stdout.write(json ? enginesJson(reports) : enginesText(reports))
  return 0
}

/** The object of spec section 7, on one line. */
export function enginesJson(reports: readonly EngineReport[]): string {
  const list = reports.map(({ id, available, reason, devices, sharing, variants }) => ({
    ...{ id, available, reason },
    devices: devices.map((device) => ({
      ...{ id: device.id, name: device.name, memory_bytes: device.memoryBytes },
      software: device.software,
    })),
    ...(sharing && { sharing }),
    variants: variants.map((variant) => ({
      ...{ id: variant.id, deterministic: variant.deterministic, exact: variant.exact },
      grade: gradeOf(variant.id, id),
    })),
  }))
  return `${printableJson({ engines: list })}\n`
}

export function enginesText(reports: readonly EngineReport[]): string {
  return reports.map(engineText).join('\n')
}

function engineText({ id, available, reason, devices, sharing, variants }: EngineReport): string {
  if (!available) return `${id}: not available. ${reason ?? ''}`.trimEnd() + '\n'
  const width = Math.max(0, ...variants.map((variant) => variant.id.length))
  const lines = variants.map(({ id: variant, title, deterministic }) => {
    const varies = deterministic ? '' : ' (varies in the last digits from run to run)'
    const marked = isApproximate(variant) ? ' (approximate)' : varies
    return `  variant ${variant.padEnd(width)}  ${title}${marked}\n`
  })
  return [`${id}: available\n`, ...devices.map(deviceLine), sharingLine(sharing), ...lines].join('')
}

function sharingLine(sharing: EngineReport['sharing']): string {
  if (sharing === undefined) return ''
  const nccl = sharing.nccl === null ? 'NCCL is not found' : `NCCL ${sharing.nccl} is found`
  return `  several devices share the rows and add up their sums by copies to each other; ${nccl}\n`
}

function deviceLine({ id, name, memoryBytes, software }: Device): string {
  const memory = memoryBytes === null ? '' : `, ${formatBytes(memoryBytes)}`
  const marked = software && !/software/i.test(name) ? ' (software)' : ''
  return `  device ${id}: ${name}${memory}${marked}\n`
}
