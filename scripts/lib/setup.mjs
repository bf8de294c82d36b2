import { existsSync } from 'node:fs'
import { addon, hasFailedBefore } from './addon.mjs'
import { app } from './app.mjs'
import { cudaAddon } from './cuda-addon.mjs'
import { electron } from './electron.mjs'
import { SetupFailure } from './failure.mjs'
import { hostNodeStep } from './host-node.mjs'
import { packages } from './packages.mjs'
import { paths } from './project.mjs'
import { dispensable, runSteps } from './steps.mjs'
import { systemStep } from './system.mjs'

/** @typedef {import('./failure.mjs').SetupFailure} Failure */

/**
 * Everything that the window needs; `headless` adds the display that tests make for themselves.
 * @param {{headless?: boolean, onAddonFailure?: (failure: Failure) => void}} [options]
 * @returns {Promise<number>} how many steps were missing
 */
export function setUpWindow({ headless = false, onAddonFailure } = {}) {
  requireNode()
  return runSteps([
    systemStep(headless ? ['window', 'headless', 'build'] : ['window', 'build']),
    packages,
    hostNodeStep,
    electron,
    dispensable(addon, onAddonFailure),
    dispensable(cudaAddon),
    app,
  ])
}

/**
 * What clustering without a window needs: no display and no GTK. The files of the Electron runtime hold the
 * software adapter of WebGPU, so they are wanted where WebGPU is asked for.
 * @param {{webgpu: boolean}} options
 */
export function setUpHeadless({ webgpu }) {
  requireNode()
  return runSteps([
    systemStep(['build']),
    packages,
    hostNodeStep,
    ...(webgpu ? [electron] : []),
    dispensable(addon),
    dispensable(cudaAddon),
    app,
  ])
}

/** What a package is made of. Here the addon is no option: a package without its main engine is none. */
export function setUpPackage() {
  requireNode()
  return runSteps([systemStep(['build']), packages, hostNodeStep, electron, addon, app])
}

/** What programs of the engines alone need, such as the benchmark of the kernels: no window, no bundled application. */
export function setUpEngines() {
  requireNode()
  return runSteps([systemStep(['build']), packages, hostNodeStep, dispensable(addon), dispensable(cudaAddon)])
}

/**
 * What a command needs; looked at on every call, so it goes no further than it must. Without compilers the command
 * line still works, through WebGPU.
 * @param {{webgpu: boolean}} options
 */
export function setUpCommandLine({ webgpu }) {
  requireNode()
  const compiled = needsAddon() ? [dispensable(systemStep(['build'])), dispensable(addon)] : []
  const card = dispensable(cudaAddon)
  const adapter = { ...electron, isDone: () => (addon.isDone() && !webgpu) || electron.isDone() }
  return runSteps([packages, hostNodeStep, ...compiled, card, adapter, app])
}

function needsAddon() {
  return !addon.isDone() && !(existsSync(paths.cli) && hasFailedBefore())
}

function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > 20 || (major === 20 && minor >= 19)) return
  throw new SetupFailure(
    `Centroid Lab needs Node 20.19 or newer, and this is ${process.version}; install a newer Node.`,
  )
}
