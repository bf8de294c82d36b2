import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { SetupFailure } from './failure.mjs'
import { fingerprint, isStamped, stamp } from './fingerprint.mjs'
import { at, paths } from './project.mjs'
import { capture, firstLine } from './run.mjs'

const folder = at('.native')
const build = join(folder, 'build')
const builtStamp = join(folder, 'built.stamp')
const failedStamp = join(folder, 'failed.stamp')
const sources = /\.(cpp|cc|c|h|hpp|cmake)$|CMakeLists\.txt$/

/** The CPU addon. When it cannot be built the rest of the program works through WebGPU. */
export const addon = {
  name: 'native addon',
  isDone: () => existsSync(paths.addon) && isStamped(builtStamp, addonFingerprint()),
  run: async () => {
    const wanted = addonFingerprint()
    try {
      await compile()
    } catch (error) {
      mkdirSync(folder, { recursive: true })
      stamp(failedStamp, wanted)
      throw error
    }
    rmSync(failedStamp, { force: true })
    stamp(builtStamp, wanted)
    return '.native/centroid_cpu.node'
  },
}

/** True when this very state of the sources and the compiler was tried and failed. */
export function hasFailedBefore() {
  return isStamped(failedStamp, addonFingerprint())
}

function addonFingerprint() {
  const compiler = firstLine(process.env['CXX'] ?? 'c++', ['--version']) ?? 'no compiler'
  return fingerprint([at('kernels')], (path) => sources.test(path), [compiler, process.arch])
}

async function compile() {
  const failure =
    'The CPU addon could not be built, see the lines above; the program works without it, through WebGPU.'
  await configure(failure).catch(async () => {
    // A build folder of another place or compiler cannot be reused.
    rmSync(build, { recursive: true, force: true })
    await configure(failure)
  })
  await capture('cmake', ['--build', build, `-j${availableParallelism()}`], { failure })
  if (!existsSync(paths.addon)) {
    throw new SetupFailure(
      'The build of the CPU addon did not leave .native/centroid_cpu.node; see kernels/CMakeLists.txt.',
    )
  }
}

/** @param {string} failure */
function configure(failure) {
  return capture('cmake', ['-S', at('kernels'), '-B', build, '-DCMAKE_BUILD_TYPE=Release'], { failure })
}
