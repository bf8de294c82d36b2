import { LabError } from '@shared/errors'
import type { VariantId } from '@shared/variant'
import type { Points } from '../engine'
import { loadCpuAddon, type NativeMemberSummer } from '../native'
import type { HostUpdate } from '@kernels/common/webgpu/passes'

/** The processor's half of a hybrid variant. @throws LabError when the CPU engine's addon is not there. */
export function openMemberSums(
  { x, n, d, maxAbs }: Points,
  variant: VariantId,
  hostUpdate: HostUpdate,
): NativeMemberSummer {
  const { addon, reason } = loadCpuAddon()
  if (addon !== null) return new addon.MemberSums(x, n, d, maxAbs, hostUpdate === 'parallel')
  const message = `The WebGPU variant '${variant}' needs the processor's half of its work: ${reason}`
  throw new LabError('engine-missing', 'webgpu.no-member-sums', message)
}
