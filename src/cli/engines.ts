import { listEngines } from '@engine/engines/list'
import type { EngineReport } from '@shared/variant'
import type { CliIo } from './io'
import { shortBytes, textTable } from './text-table'

/** `centroid-lab engines`: what this machine can compute on. @returns exit status 0, also when nothing is there */
export async function engines(json: boolean, io: CliIo): Promise<number> {
  const reports = await listEngines()
  io.stdout.write(json ? enginesJson(reports) : enginesText(reports))
  return 0
}

/** The object of spec section 7, on one line. */
export function enginesJson(reports: readonly EngineReport[]): string {
  const list = reports.map(({ id, available, reason, devices, variants }) => ({
    ...{ id, available, reason },
    devices: devices.map((device) => ({
      ...{ id: device.id, name: device.name, memory_bytes: device.memoryBytes },
      software: device.software,
    })),
    variants: variants.map(({ id, deterministic, exact }) => ({ id, deterministic, exact })),
  }))
  return `${JSON.stringify({ engines: list })}\n`
}

export function enginesText(reports: readonly EngineReport[]): string {
  return reports.map(engineText).join('\n')
}

function engineText({ id, available, reason, devices, variants }: EngineReport): string {
  if (!available) return `${id}: not available. ${reason ?? ''}`.trimEnd() + '\n'
  const listed = devices.map((device) => {
    const memory = device.memoryBytes === null ? '' : `, ${shortBytes(device.memoryBytes)}`
    return `  device ${device.id}: ${device.name}${memory}${device.software ? ' (software)' : ''}\n`
  })
  const rows = variants.map((variant) => [
    `  ${variant.id}`.padEnd(24),
    variant.deterministic ? 'deterministic' : 'varies in the last bits',
  ])
  const table = rows.length === 0 ? '' : textTable(['  variant'.padEnd(24), 'result'], rows)
  return `${id}: available\n${listed.join('')}${table}`
}
