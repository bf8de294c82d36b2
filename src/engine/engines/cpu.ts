import { cpus, totalmem } from 'node:os'
import { variants } from '@kernels/variants'
import { assertAnswerable } from '@shared/approximate'
import { LabError, invalidArgument } from '@shared/errors'
import { offersFloat64 } from '@shared/precision'
import type { Device, VariantOnEngine } from '@shared/variant'
import type { Availability, Engine } from './engine'
import { float32Points } from './float32-points'
import { loadCpuAddon, type CpuAddon } from './native'
import { freeBytes } from '../memory'
import { carriedOut, planRun, regimeConfig } from '../plan/plan-run'
import { requireWorkspace } from './native-addon/memory'
import { AddonSession, type AddonEngine } from './native-addon/session'
import { silhouettesOn } from './native-addon/silhouettes'

const words: AddonEngine = {
  id: 'cpu',
  title: 'The CPU engine',
  failure: 'internal',
  tooLittleMemory:
    'The CPU engine has too little memory for these points: choose fewer rows or features, or close other programs.',
}

/** About a millisecond. */
const silhouetteTrialWork = 2 ** 26

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

  async facts() {
    const { isa, threads } = requireAddon().versions()
    return { engine: 'cpu', name: processor().name, threads, isa }
  },

  async floors() {
    return (await loadCpuAddon().addon?.floors()) ?? null
  },

  silhouettes({ x }) {
    const { addon } = loadCpuAddon()
    if (addon?.Silhouettes === undefined || x instanceof Float64Array) return null
    return silhouettesOn(new addon.Silhouettes(0), silhouetteTrialWork)
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
    assertAnswerable(config)
    const shape = { n: points.n, d: points.d, k: config.k }
    const declared = variants.find(({ id }) => id === config.variant)
    const memory = { engine: 'cpu', words: 'memory', freeBytes: freeBytes() } as const
    const own = { ...shape, n: points.part?.count ?? points.n }
    if (declared !== undefined) requireWorkspace(declared, own, memory)
    const run = { engine: cpuEngine, device: processor(), variant: config.variant }
    const planned = await planRun(run, shape, config, config.regime ?? null)
    return AddonSession.open(words, addon, {
      points: offersFloat64(config.variant) ? points : float32Points(points, 'cpu', config.variant),
      config: { ...regimeConfig(planned), ...config },
      deviceIndex: 0,
      hostDeviceBytesPerIteration: 0,
      warnings: [],
      planOf: (built) => carriedOut(planned, built),
    })
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
