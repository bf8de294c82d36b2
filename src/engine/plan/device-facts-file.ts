import { readFile } from 'node:fs/promises'
import * as v from 'valibot'
import { LabError } from '@shared/errors'
import type { DeviceFacts } from '@shared/plan'

const count = v.pipe(v.number(), v.finite(), v.minValue(0))
const name = v.pipe(v.string(), v.minLength(1))

const cpu = v.strictObject({
  engine: v.literal('cpu'),
  name,
  threads: count,
  isa: v.picklist(['baseline', 'avx2', 'avx512']),
})

const cuda = v.strictObject({
  engine: v.literal('cuda'),
  name,
  computeCapability: v.tuple([count, count]),
  multiprocessors: count,
  threadsPerMultiprocessor: count,
  registersPerMultiprocessor: count,
  sharedBytesPerBlock: count,
  sharedBytesPerMultiprocessor: count,
  l2Bytes: count,
  memoryBytes: count,
  cooperativeLaunch: v.boolean(),
})

const webgpu = v.strictObject({
  engine: v.literal('webgpu'),
  name,
  software: v.boolean(),
  workgroupBytes: count,
  invocationsPerWorkgroup: count,
  storageBindingBytes: count,
  lanesAtOnce: count,
  matrixUnits: v.boolean(),
})

/** Every field of DeviceFacts, so that none is forgotten where a table asks for a new one. */
const deviceFacts = v.variant('engine', [cpu, cuda, webgpu]) satisfies v.GenericSchema<unknown, DeviceFacts>

/**
 * The facts of a device that need not be here, from a JSON file (docs/devices has some).
 * @throws LabError `io` for a file that cannot be read, `input` for one that describes no device
 */
export async function readDeviceFacts(path: string): Promise<DeviceFacts> {
  const parsed = v.safeParse(deviceFacts, await parsedFile(path))
  if (parsed.success) return parsed.output
  const [issue] = parsed.issues
  const field = v.getDotPath(issue)
  const message = `${path} describes no device${field === null ? '' : ` (at ${field})`}: write one like those in docs/devices.`
  throw new LabError('input', 'plan.device-facts', message, issue.message)
}

async function parsedFile(path: string): Promise<unknown> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error)
    throw new LabError('io', 'plan.device-facts', `${path} cannot be read: check its name.`, cause)
  }
  try {
    return JSON.parse(text)
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error)
    const message = `${path} is no JSON: give a file with the facts of a device.`
    throw new LabError('input', 'plan.device-facts', message, cause)
  }
}
