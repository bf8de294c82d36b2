import { readFileSync } from 'node:fs'
import { arch, availableParallelism, cpus, release, totalmem, type } from 'node:os'
import type { MachineFacts } from '@shared/run-record'
import { engineIds, type EngineId } from '@shared/variant'
import { appVersion } from './app-version'
import { engines } from './engines'
import type { Engine } from './engines/engine'

/** Model name of the processor, as the system gives it. */
export function cpuModel(): string {
  return cpus()[0]?.model.trim() || `unknown ${arch()} processor`
}

/**
 * The machine as records and tables name it. Only the engines that may have been used are asked: a run on the
 * CPU must not fall over a broken GPU driver.
 */
export async function machineFacts(engine: EngineId | 'auto'): Promise<MachineFacts> {
  const asked = engine === 'auto' ? engineIds : [engine]
  const parts = await Promise.all(asked.map((id) => factsOf(engines[id])))
  return {
    cpu: cpuModel(),
    cores: availableParallelism(),
    memoryBytes: totalmem(),
    os: operatingSystem(),
    devices: parts.flatMap(({ devices }) => devices),
    versions: Object.assign(
      { app: appVersion(), node: process.versions.node },
      ...parts.map(({ versions }) => versions),
    ) as Record<string, string>,
  }
}

async function factsOf(engine: Engine) {
  const { available } = await engine.availability()
  if (!available) return { devices: [], versions: {} }
  const devices = (await engine.devices()).map(({ id, name }) => `${id}: ${name}`)
  return { devices, versions: await engine.versions() }
}

/** Kernel and, on Linux, the distribution. */
function operatingSystem(): string {
  const kernel = `${type()} ${release()} ${arch()}`
  try {
    const name = /^PRETTY_NAME="?([^"\n]*)"?$/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1]
    return name === undefined ? kernel : `${name}, ${kernel}`
  } catch {
    return kernel
  }
}
