import { cpus, totalmem } from 'node:os'
import { variants } from '@kernels/variants'
import { LabError, invalidArgument } from '@shared/errors'
import type { Device, VariantOnEngine } from '@shared/variant'
import { freeBytes, requireWorkspace } from './cpu/memory'
import { CpuSession } from './cpu/session'
import type { Availability, Engine } from './engine'
import { loadCpuAddon, type CpuAddon } from './native'

/** The processor, through the native addon. */
export const cpuEngine: Engine = {
  id: 'cpu',

  async availability(): Promise<Availability> {
    const { reason } = loadCpuAddon()
    return reason === null ? { available: true } : { available: false, reason }
  },

  async devices() {
    return loadCpuAddon().addon === null ? [] : [processor()]
  },

  variants: offered,

  async versions() {
    const { addon } = loadCpuAddon()
    if (addon === null) return {}
    const { compiler, flags, isa, threads } = addon.versions()
    return {
      'cpu compiler': compiler,
      'cpu compiler flags': flags,
      'cpu instruction set': isa,
      'cpu threads': String(threads),
    }
  },

  async open(points, config, deviceId) {
    const addon = requireAddon()
    if (deviceId !== null && deviceId !== processor().id) {
      throw new LabError(
        'engine-missing',
        'cpu.device',
        `The CPU engine has no device ${deviceId}: choose ${processor().id}.`,
      )
    }
    if (!offered().some(({ id }) => id === config.variant)) {
      const names = offered().map(({ id }) => id)
      throw invalidArgument(`one of ${names.join(', ')}`, 'the variant of the CPU engine', config.variant)
    }
    const shape = { n: points.n, d: points.d, k: config.k }
    const declared = variants.find(({ id }) => id === config.variant)
    if (declared !== undefined) requireWorkspace(declared, shape, freeBytes())
    return CpuSession.open(addon, points, config)
  },
}

function requireAddon(): CpuAddon {
  const { addon, reason } = loadCpuAddon()
  if (addon === null) throw new LabError('engine-missing', 'cpu.addon', reason)
  return addon
}

function processor(): Device {
  const name = cpus().at(0)?.model.trim() ?? 'CPU'
  return { id: 'cpu', name, memoryBytes: totalmem(), software: false }
}

/** What is declared for the CPU; with an addon loaded, only what it was built with. */
function offered(): ({ readonly id: string } & VariantOnEngine)[] {
  const built = loadCpuAddon().addon?.variants()
  return variants.flatMap(({ id, engines }) =>
    engines.cpu && (built === undefined || built.includes(id)) ? [{ id, ...engines.cpu }] : [],
  )
}
