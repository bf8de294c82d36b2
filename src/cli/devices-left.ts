import { anotherVariable } from './another-process'
import type { CliIo } from './io'

/** Option that names devices. */
const option = '--device'

/** The run is to begin again on these devices, in a process of its own. */
export class BeginAnew extends Error {
  constructor(readonly devices: readonly string[]) {
    super(`to begin again on ${devices.join(', ')}`)
  }
}

/**
 * Where one of several GPUs fails, the driver fails every later call of the process, that of the others too: what is left of them is there
 * for another process, which this one asks.
 * @param device as it was asked for
 * @returns ids; none where there was one device only, none is left, or this is that other process
 */
export async function devicesLeft(device: string | null, io: CliIo): Promise<readonly string[]> {
  const { another, signal, env } = io
  const isGroup = device !== null && (device === 'all' || device.includes(','))
  if (!isGroup || another === undefined || env[anotherVariable] !== undefined) return []
  const { status, stdout } = await another(['engines', '--json'], true, signal)
  if (status !== 0) return []
  const there = cardsIn(stdout)
  return device === 'all'
    ? there
    : device.split(',').flatMap((id) => there.filter((one) => one === id.trim()))
}

/** Ids of the CUDA devices that `engines --json` lists. */
function cardsIn(text: string): readonly string[] {
  const { engines } = JSON.parse(text) as {
    readonly engines: readonly { readonly id: string; readonly devices: readonly { readonly id: string }[] }[]
  }
  return engines.flatMap(({ id, devices }) => (id === 'cuda' ? devices.map((device) => device.id) : []))
}

/** The same arguments, which begin with the command, for other devices. */
export function withDevices(
  [command, ...rest]: readonly string[],
  devices: readonly string[],
): readonly string[] {
  const others = rest.filter(
    (word, at) => word !== option && rest[at - 1] !== option && !word.startsWith(`${option}=`),
  )
  return [command, option, devices.join(','), ...others]
}
