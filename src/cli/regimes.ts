import { readDeviceFacts } from '@engine/plan/device-facts-file'
import {
  describedDevice,
  devicesHere,
  listPlans,
  listRegimes,
  type ListedPlan,
  type ListedRegime,
} from '@engine/plan/list-plans'
import { sizeOf } from '@engine/memory'
import { significant } from '@shared/benchmark/significant'
import type { RunShape } from '@shared/variant'
import type { CliIo } from './io'
import type { RegimesQuestion } from './regimes-arguments'
import { textTable } from './text-table'

/** `centroid-lab engines --regimes`. @returns exit status 0. @throws LabError for facts that cannot be read */
export async function regimes({ shape, deviceFacts, json }: RegimesQuestion, io: CliIo): Promise<number> {
  if (shape === null) {
    const list = listRegimes()
    io.stdout.write(json ? `${JSON.stringify({ regimes: list })}\n` : regimesText(list))
    return 0
  }
  const devices =
    deviceFacts === null ? await devicesHere() : [describedDevice(await readDeviceFacts(deviceFacts))]
  const plans: ListedPlan[] = []
  for (const device of devices) plans.push(...(await listPlans(device, shape, io.signal)))
  io.stdout.write(json ? plansJson(shape, plans) : plansText(plans))
  return 0
}

function regimesText(list: readonly ListedRegime[]): string {
  const names = ['engine', 'variant', 'regime', 'summary']
  const rows = list.map(({ engine, variant, regime, summary }) => [engine, variant, regime, summary])
  return textTable(names, rows, names)
}

/** One object on one line; `regime` is null where the variant cannot run. */
export function plansJson(shape: RunShape, plans: readonly ListedPlan[]): string {
  const list = plans.map(({ engine, device, variant, plan, memory, reason }) => ({
    ...{ engine, device, variant, regime: plan?.regime ?? null, reason },
    probe: plan?.probe?.name ?? null,
    otherwise: plan?.probe?.otherwise ?? null,
    workspace_bytes: plan?.workspaceBytes ?? null,
    predicted_ms: plan?.predictedMs ?? null,
    points_in: memory?.pointsIn ?? null,
    ram_bytes: memory?.ramBytes ?? null,
    scratch_bytes: memory?.scratchBytes ?? null,
    device_bytes: memory?.deviceBytes ?? null,
  }))
  return `${JSON.stringify({ ...shape, plans: list })}\n`
}

const iterationHead = 'ms an iteration'
const ramHead = 'memory'
const deviceHead = 'device memory'

/** The time of an iteration is known where it can be tried: on the devices that are here. */
export function plansText(plans: readonly ListedPlan[]): string {
  const names = [
    'engine',
    'device',
    'variant',
    'regime',
    iterationHead,
    'points in',
    ramHead,
    deviceHead,
    'reason',
  ]
  const rows = plans.map(({ engine, device, variant, plan, memory, reason }) => {
    const otherwise = plan?.probe ? ` Else: ${plan.probe.otherwise}.` : ''
    const ms = plan?.predictedMs ?? null
    const expected = ms === null ? '-' : significant(ms)
    const size = (bytes: number | null | undefined) =>
      bytes === null || bytes === undefined ? '-' : sizeOf(bytes)
    const { pointsIn, ramBytes, deviceBytes } = memory ?? {}
    const because =
      pointsIn === undefined || pointsIn === 'memory' || pointsIn === 'device' ? '' : ` ${memory?.reason}`
    const lies = [pointsIn ?? '-', size(ramBytes), size(deviceBytes)]
    return [engine, device, variant, plan?.regime ?? '-', expected, ...lies, reason + otherwise + because]
  })
  const words = names.filter((name) => ![iterationHead, ramHead, deviceHead].includes(name))
  return textTable(names, rows, words)
}
