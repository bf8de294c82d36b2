import { LabError, invalidArgument } from '@shared/errors'
import type { SessionPlan } from './engine'

/** Names who adds up the sums of devices that share the rows. */
const variable = 'CENTROID_LAB_DEVICE_SUMS'

/** As the addon names them. */
export type DeviceSums = 'peer-copies' | 'nccl'

/**
 * What was asked for, else copies.
 * @param ncclVersion empty where NCCL is not found
 * @param byHost the processor has a part, or rows pass through the devices: the host adds up
 * @throws LabError in one sentence where that cannot be
 */
export function deviceSums(
  ncclVersion: string,
  byHost: boolean,
  asked: string | undefined = process.env[variable],
): DeviceSums {
  if (asked === undefined || asked === '' || asked === 'peer-copies') return 'peer-copies'
  if (asked !== 'nccl') throw invalidArgument('peer-copies or nccl', variable, asked)
  if (byHost) {
    const message = `NCCL adds up the sums of GPUs that hold all rows: leave cpu out of the devices, or ${variable} empty.`
    throw new LabError('input', 'cuda.nccl', message)
  }
  if (ncclVersion === '') {
    const message = `NCCL was not found: install it, put the folder of libnccl.so.2 into LD_LIBRARY_PATH, or leave ${variable} empty.`
    throw new LabError('engine-missing', 'cuda.nccl', message)
  }
  return 'nccl'
}

/** A plan's reason, with who adds up where several devices share the rows. */
export function reasonWithSums(reason: string, sharing: SessionPlan['sharing']): string {
  if (sharing === undefined) return reason
  const { devices, exchange } = sharing
  if (exchange === 'nccl') return `${reason} NCCL adds up the sums of ${devices} devices.`
  if (exchange === '') return `${reason} The host adds up the sums of ${devices} devices.`
  return `${reason} ${devices} devices add up their sums by copies to each other.`
}
