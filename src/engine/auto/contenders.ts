import { variants } from '@kernels/variants'
import { LabError } from '@shared/errors'
import type { RunConfig } from '@shared/run-config'
import { engineIds, formerVariants, type Device, type EngineId } from '@shared/variant'
import type { Engine } from '../engines/engine'
import type { ResolvedRun } from '../run/types'

/** What a person may leave to us. */
export type Choice = Pick<RunConfig, 'engine' | 'device' | 'variant'> & Partial<Pick<RunConfig, 'regime'>>

export type EngineTable = Readonly<Record<EngineId, Engine>>

interface Working {
  readonly engine: Engine
  readonly devices: readonly Device[]
}

interface Missing {
  readonly engine: Engine
  readonly reason: string
}

/**
 * Everything that could carry out a choice, in a fixed order. Under `auto` a software adapter is left out where
 * anything else is there, and so are the exhibits and what is not deterministic or not exact: those are for who asks.
 * @throws LabError `engine-missing` with the engine's reason, `input` for a variant that is not offered.
 */
export async function contendersFor(choice: Choice, engines: EngineTable): Promise<ResolvedRun[]> {
  const asked = choice.engine === 'auto' ? engineIds : [choice.engine]
  const { working, missing } = await workingEngines(asked, engines)
  const withDevice = await onDevice(working, choice)
  const found = withDevice.flatMap((one) => runsOf(one, choice))
  if (found.length === 0) throw noVariant(choice, withDevice, missing)
  const hardware = found.filter(({ device }) => !device.software)
  const runs = hardware.length > 0 ? hardware : found
  return choice.variant === 'auto' ? oursFirst(runs) : runs
}

async function workingEngines(asked: readonly EngineId[], engines: EngineTable) {
  const working: Working[] = []
  const missing: Missing[] = []
  for (const id of asked) {
    const engine = engines[id]
    const availability = await engine.availability()
    if (availability.available) working.push({ engine, devices: await engine.devices() })
    else missing.push({ engine, reason: availability.reason })
  }
  if (working.length > 0) return { working, missing }
  const which =
    asked.length === 1 ? `The ${asked[0]} engine cannot be used` : 'No engine works on this machine'
  const reasons = missing.map(({ reason }) => reason).join(' ')
  throw new LabError('engine-missing', 'engine.missing', `${which}: ${reasons}`)
}

async function onDevice(working: readonly Working[], { device }: Choice): Promise<Working[]> {
  if (device === null) return [...working]
  const asked = working.map(async ({ engine, devices }) => {
    const own = devices.find(({ id }) => id === device) ?? (await engine.group?.(device))
    return own ? [{ engine, devices: [own] }] : []
  })
  const matching = (await Promise.all(asked)).flat()
  if (matching.length > 0) return matching
  const there = working.flatMap(({ devices }) => devices.map(({ id, name }) => `${id} (${name})`))
  throw new LabError(
    'engine-missing',
    'engine.no-device',
    `There is no device '${device}' here: choose one of ${there.join(', ')}.`,
  )
}

/** Of the exhibits none is ever the fastest; they are for who asks, unless there is nothing else. */
function oursFirst(runs: readonly ResolvedRun[]): ResolvedRun[] {
  const own = runs.filter(({ variant }) => isOurs(variant))
  return own.length > 0 ? own : [...runs]
}

function isOurs(variant: string): boolean {
  return variants.some(({ id, from }) => id === variant && from === 'ours')
}

function runsOf({ engine, devices }: Working, { variant }: Choice): ResolvedRun[] {
  const wanted = engine
    .variants()
    .filter(({ id, deterministic, exact }) => (variant === 'auto' ? deterministic && exact : id === variant))
  // An exhibit keeps its arithmetic: what several devices share is ours, unless somebody asks, who is told why not.
  const offered = (device: Device) =>
    variant === 'auto' && device.members !== undefined ? wanted.filter(({ id }) => isOurs(id)) : wanted
  return devices.flatMap((device) => offered(device).map(({ id }) => ({ engine, device, variant: id })))
}

function noVariant({ variant }: Choice, working: readonly Working[], missing: readonly Missing[]): LabError {
  if (variant in formerVariants) return new LabError('input', 'engine.no-variant', formerVariants[variant])
  const names = (engine: Engine) => engine.variants().map(({ id }) => id)
  const home = missing.find(({ engine }) => names(engine).includes(variant))
  if (home !== undefined) {
    const message = `The variant '${variant}' needs the ${home.engine.id} engine: ${home.reason}`
    return new LabError('engine-missing', 'engine.missing', message)
  }
  const offers = working.map(({ engine }) => `${engine.id} offers ${[...names(engine), 'auto'].join(', ')}`)
  const message = `There is no variant '${variant}' here: ${offers.join('; ')}.`
  return new LabError('input', 'engine.no-variant', message)
}
