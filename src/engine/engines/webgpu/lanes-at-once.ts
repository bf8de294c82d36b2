import { assumedLanes, softwareLanes } from '@kernels/common/webgpu/device-lanes'
import source from '@kernels/common/webgpu/lanes_at_once.wgsl?raw'
import type { GpuDevice } from './gpu-device'

const groupLanes = 256
/** More than any device runs at once: 2^21 lanes. Some milliseconds of work on the smallest. */
const groups = 8192
/** What else a device shows may take some of it: the best of several. */
const dispatches = 3
const bytes = 16

/**
 * Lanes that the device runs at once, by workgroups that count themselves; WebGPU does not tell it. It says how many workgroups keep
 * the device busy, and no result depends on it. Software adapters are not measured; where measuring fails: `assumedLanes`.
 */
export async function lanesAtOnce(gpu: GpuDevice): Promise<number> {
  if (gpu.software) return softwareLanes
  const most = await gpu.checked('measuring the device', () => maxRunning(gpu)).catch(() => 0)
  return most === 0 ? assumedLanes : most * groupLanes
}

async function maxRunning({ device }: GpuDevice): Promise<number> {
  const module = device.createShaderModule({ code: source })
  const compute = { module, entryPoint: 'count_running' }
  const pipeline = await device.createComputePipelineAsync({ layout: 'auto', compute })
  const { STORAGE, COPY_SRC, COPY_DST, MAP_READ } = GPUBufferUsage
  const running = device.createBuffer({ size: bytes, usage: STORAGE | COPY_SRC })
  const staging = device.createBuffer({ size: bytes, usage: MAP_READ | COPY_DST })
  try {
    const entries = [{ binding: 0, resource: { buffer: running } }]
    const encoder = device.createCommandEncoder()
    const pass = encoder.beginComputePass()
    pass.setPipeline(pipeline)
    pass.setBindGroup(0, device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries }))
    for (let at = 0; at < dispatches; at++) pass.dispatchWorkgroups(groups)
    pass.end()
    encoder.copyBufferToBuffer(running, 0, staging, 0, bytes)
    device.queue.submit([encoder.finish()])
    await staging.mapAsync(GPUMapMode.READ)
    return new Uint32Array(staging.getMappedRange())[1]
  } finally {
    running.destroy()
    staging.destroy()
  }
}
