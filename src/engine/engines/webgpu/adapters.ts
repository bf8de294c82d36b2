import { LabError } from '@shared/errors'
import type { Device } from '@shared/variant'
import { requestMatrixAdapter } from './matrix-adapter'
import { calmPolling } from './polling'
import { adapterChoice, prepareVulkan, swiftShaderFolder, type AdapterChoice } from './runtime'

/** An adapter with the name it is offered under. */
export interface FoundAdapter {
  readonly device: Device
  /** Driver text, for the machine's description. */
  readonly driver: string
  request(): Promise<GPUAdapter | null>
  /** The same with matrix units; null where there are none. */
  requestMatrices(): Promise<GPUAdapter | null>
}

export interface Found {
  readonly adapters: readonly FoundAdapter[]
  /** Why there is none; null when there is one. */
  readonly reason: string | null
}

const unwantedFeatures = [
  // Time stamps in steps of 65.5 microseconds.
  'timestamp_quantization',
  // Workgroup memory zeroed by the driver: SwiftShader translates that into a store for each element, and compiles for
  // seconds where the array is large. Without it the kernels zero their memory in a loop.
  'use_vulkan_zero_initialize_workgroup_memory_extension',
]

let loaded: Promise<GPU> | null = null
let found: Promise<Found> | null = null

/** Adapters of this machine, best first; looked for once per process. Never throws. */
export function findAdapters(): Promise<Found> {
  found ??= search().catch((error: unknown) => ({ adapters: [], reason: cannotLoad(error) }))
  return found
}

/** The adapter of a device id; null takes the best. */
export async function adapterOf(deviceId: string | null): Promise<FoundAdapter> {
  const { adapters, reason } = await findAdapters()
  const wanted = deviceId === null ? adapters[0] : adapters.find(({ device }) => device.id === deviceId)
  if (wanted !== undefined) return wanted
  const names = adapters.map(({ device }) => device.id).join(', ')
  const message = reason ?? `There is no WebGPU device '${deviceId}' here; choose one of ${names}.`
  throw new LabError('engine-missing', 'webgpu.no-device', message)
}

/** Dawn's instance lives as long as the process: dropping it while work is pending would crash. */
function dawn(choice: AdapterChoice): Promise<GPU> {
  loaded ??= (async () => {
    prepareVulkan(choice)
    calmPolling()
    const { create, globals } = await import('webgpu')
    Object.assign(globalThis, globals)
    return create([`disable-dawn-features=${unwantedFeatures.join(',')}`])
  })()
  return loaded
}

async function search(): Promise<Found> {
  const choice = adapterChoice()
  const gpu = await dawn(choice)
  const requests: GPURequestAdapterOptions[] = []
  if (choice !== 'software') requests.push({ powerPreference: 'high-performance' })
  requests.push({ forceFallbackAdapter: true })
  const adapters: FoundAdapter[] = []
  for (const options of requests) {
    const adapter = await gpu.requestAdapter(options)
    if (adapter === null || !isAllowed(adapter, choice)) continue
    const entry = describe(adapter, adapters.length, options, gpu)
    if (adapters.every((other) => other.device.name !== entry.device.name)) adapters.push(entry)
  }
  return { adapters, reason: adapters.length > 0 ? null : nothingFound(choice) }
}

function isAllowed(adapter: GPUAdapter, choice: AdapterChoice): boolean {
  return choice === 'any' || isSoftware(adapter) === (choice === 'software')
}

function isSoftware({ info }: GPUAdapter): boolean {
  return info.isFallbackAdapter || /swiftshader|llvmpipe|lavapipe|basic render/i.test(info.description)
}

function describe(
  adapter: GPUAdapter,
  position: number,
  options: GPURequestAdapterOptions,
  gpu: GPU,
): FoundAdapter {
  const { info } = adapter
  const software = isSoftware(adapter)
  const plain = info.device || info.description || `${info.vendor} ${info.architecture}`.trim()
  const name =
    software && /swiftshader/i.test(info.description + info.device) ? 'SwiftShader (software)' : plain
  const device = { id: `webgpu:${position}`, name, memoryBytes: null, software }
  return {
    device,
    driver: [info.vendor, info.description].filter(Boolean).join(', '),
    request: () => gpu.requestAdapter(options),
    requestMatrices: async () => (software ? null : requestMatrixAdapter(options, info, unwantedFeatures)),
  }
}

function nothingFound(choice: AdapterChoice): string {
  if (choice === 'hardware')
    return 'WebGPU found no hardware adapter; install a Vulkan driver for the graphics card.'
  const missing = swiftShaderFolder() === null
  return missing
    ? 'WebGPU found no adapter, and SwiftShader, which comes with the Electron runtime, is not set up; run the set-up again.'
    : 'WebGPU found no adapter, and SwiftShader could not be started; run the set-up again.'
}

function cannotLoad(error: unknown): string {
  const cause = error instanceof Error ? error.message.split('\n')[0] : String(error)
  return `WebGPU could not be loaded (${cause}); run the set-up again.`
}
