import type { WebgpuFacts } from '@shared/plan'
import type { FoundAdapter } from './adapters'
import { leaseDevice } from './device-pool'
import type { GpuDevice } from './gpu-device'
import { lanesAtOnce } from './lanes-at-once'
import { bindingLimit } from './resources'

const known = new WeakMap<FoundAdapter, Promise<WebgpuFacts>>()

/** What plans depend on in an adapter; looked at once per process. @throws LabError `engine-lost`. */
export function factsOf(found: FoundAdapter): Promise<WebgpuFacts> {
  const facts = known.get(found) ?? measure(found)
  known.set(found, facts)
  facts.catch(() => known.delete(found))
  return facts
}

/** The device that is opened for it serves the first session afterwards. */
async function measure(found: FoundAdapter): Promise<WebgpuFacts> {
  const gpu = await leaseDevice(found)
  try {
    const lanes = await lanesAtOnce(gpu)
    const matrixUnits = (await found.requestMatrices()) !== null
    return { ...limitsOf(gpu), name: found.device.name, lanesAtOnce: lanes, matrixUnits }
  } finally {
    await gpu.close()
  }
}

function limitsOf({ device, software }: GpuDevice) {
  const { limits } = device
  return {
    engine: 'webgpu' as const,
    software,
    workgroupBytes: limits.maxComputeWorkgroupStorageSize,
    invocationsPerWorkgroup: Math.min(
      limits.maxComputeWorkgroupSizeX,
      limits.maxComputeInvocationsPerWorkgroup,
    ),
    storageBindingBytes: bindingLimit(device),
  }
}
