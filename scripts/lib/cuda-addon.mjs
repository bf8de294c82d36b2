import { existsSync, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { SetupFailure } from './failure.mjs'
import { fingerprint, isStamped, stamp } from './fingerprint.mjs'
import { at, paths } from './project.mjs'
import { capture, firstLine } from './run.mjs'

const build = at('.native', 'cuda')
const builtStamp = at('.native', 'cuda.stamp')
const sources = /\.(cu|cuh|cpp|h|hpp|cmake)$|CMakeLists\.txt$/
/** The driver's list of cards: what set-up builds for is this machine's card, and only where there is one. */
const cards = '/proc/driver/nvidia/gpus'

/**
 * The CUDA addon, where a card and nvcc are found; built for that card alone, which takes a minute or two. Packages are built for
 * all cards by `npm run build:cuda`.
 */
export const cudaAddon = {
  name: 'CUDA addon',
  isDone: () =>
    !existsSync(cards) || compiler() === null || isBuilt() || isStamped(failedStamp(), sourcesNow()),
  run: async () => {
    try {
      return await buildCuda('native')
    } catch (error) {
      stamp(failedStamp(), sourcesNow())
      throw error
    }
  },
}

/**
 * Builds `.native/centroid_cuda.node`.
 * @param {string} architectures for CMAKE_CUDA_ARCHITECTURES; empty for every card there is, and PTX for later ones
 * @param {readonly string[]} targets
 * @returns {Promise<string>} what was made
 */
export async function buildCuda(architectures, targets = ['centroid_cuda']) {
  if (compiler() === null) {
    throw new SetupFailure(
      'The CUDA addon needs nvcc of CUDA 12 or newer on the PATH: install the CUDA toolkit and call this again; the program works without it, on CPU and WebGPU.',
    )
  }
  const failure =
    'The CUDA addon could not be built, see the lines above; the program works without it, on CPU and WebGPU.'
  await configure(architectures, failure).catch(async () => {
    // A build folder of another place or compiler cannot be reused.
    rmSync(build, { recursive: true, force: true })
    await configure(architectures, failure)
  })
  const make = ['--build', build, `-j${availableParallelism()}`, '--target', ...targets]
  await capture('cmake', make, { failure })
  stamp(builtStamp, sourcesNow())
  return '.native/centroid_cuda.node'
}

function isBuilt() {
  return existsSync(paths.cudaAddon) && isStamped(builtStamp, sourcesNow())
}

function failedStamp() {
  return at('.native', 'cuda-failed.stamp')
}

function compiler() {
  return firstLine('nvcc', ['--version'])
}

function sourcesNow() {
  return fingerprint([at('kernels')], (path) => sources.test(path), [compiler() ?? '', process.arch])
}

/**
 * @param {string} architectures
 * @param {string} failure
 */
function configure(architectures, failure) {
  const options = ['-DCMAKE_BUILD_TYPE=Release', '-DCENTROID_LAB_CUDA=ON']
  return capture(
    'cmake',
    ['-S', at('kernels'), '-B', build, ...options, `-DCMAKE_CUDA_ARCHITECTURES=${architectures}`],
    { failure },
  )
}
