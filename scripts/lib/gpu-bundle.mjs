import { spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { bundle } from './bundle.mjs'
import { SetupFailure } from './failure.mjs'
import { hostNode } from './host-node.mjs'
import { at, paths } from './project.mjs'
import { capture, firstLine } from './run.mjs'

/** A file that makes a folder a bundle of ours, so that no other is ever emptied. */
const mark = 'centroid-lab-gpu-bundle'

/**
 * What goes along: from where, to where below the folder, and what is lost without it.
 * @returns {{from: string | null, to: string, without: string}[]}
 */
function parts() {
  const webgpu = at('node_modules', 'webgpu')
  const dawn = join('dist', 'linux-x64', 'dawn.node')
  return [
    { from: hostNode, to: 'bin/node', without: 'everything' },
    { from: paths.addon, to: '.native/centroid_cpu.node', without: 'the CPU engine' },
    {
      from: paths.cudaAddon,
      to: '.native/centroid_cuda.node',
      without: 'the CUDA engine: npm run build:cuda',
    },
    { from: at('.native', 'cuda', 'cuda_tests'), to: 'bin/cuda_tests', without: 'the native CUDA tests' },
    ...['package.json', 'index.js', 'LICENSE.md', dawn].map((file) => ({
      from: join(webgpu, file),
      to: join('node_modules', 'webgpu', file),
      without: 'WebGPU',
    })),
    {
      from: library('libtbb.so.12'),
      to: 'lib/libtbb.so.12',
      without: 'oneTBB, unless it is installed there',
    },
    {
      from: library('libgomp.so.1'),
      to: 'lib/libgomp.so.1',
      without: 'OpenMP, unless it is installed there',
    },
    {
      from: vulkanLoader(),
      to: 'lib/libvulkan.so.1',
      without: 'WebGPU, unless a Vulkan loader is installed',
    },
    { from: at('package.json'), to: 'package.json', without: 'the version' },
    { from: at('scripts', 'gpu-run.sh'), to: 'run.sh', without: 'the script' },
    { from: at('scripts', 'gpu-validate.sh'), to: 'validate.sh', without: 'the checks in one call' },
  ]
}

/**
 * Makes the folder anew.
 * @param {string} folder
 * @param {() => ReturnType<typeof parts>} [list]
 * @returns {Promise<{missing: string[]}>} what could not be taken along
 * @throws {SetupFailure} when the folder holds something else
 */
export async function makeGpuBundle(folder, list = parts) {
  if (existsSync(folder) && !existsSync(join(folder, mark))) {
    throw new SetupFailure(`${folder} is there and is no bundle of Centroid Lab: name another folder.`)
  }
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const commit = firstLine('git', ['-C', at(), 'describe', '--always', '--dirty']) ?? 'unknown'
  writeFileSync(join(folder, mark), `${commit}\n`)
  const missing = list().flatMap((part) => take(part, folder))
  await bundle('bench/index.ts', folder, 'bench')
  await bundle('bench/grid/index.ts', folder, 'bench-grid')
  await bundle('bench/billion.ts', folder, 'billion')
  await bundle('tests/parity/run-parity.ts', folder, 'parity')
  await bundle('tests/hashes/run-hashes.ts', folder, 'hashes')
  await bundle('src/cli/index.ts', folder, 'cli')
  return { missing: [...new Set(missing)] }
}

/**
 * Packs the folder; Node alone is 120 MB, a quarter of that when packed.
 * @param {string} folder
 * @returns {Promise<string>} the archive
 */
export async function archiveBundle(folder) {
  const archive = `${folder}.tar.xz`
  const failure = `tar could not write ${archive}; see the lines above (it needs xz).`
  await capture('tar', ['-C', dirname(folder), '-cJf', archive, basename(folder)], {
    env: { ...process.env, XZ_OPT: '-3 -T0' },
    failure,
  })
  return archive
}

/**
 * @param {{from: string | null, to: string, without: string}} part
 * @param {string} folder
 * @returns {string[]} what is lost, when the file is not here
 */
function take({ from, to, without }, folder) {
  if (from === null || !existsSync(from)) return [without]
  const target = join(folder, to)
  mkdirSync(dirname(target), { recursive: true })
  copyFileSync(from, target)
  if (to.endsWith('.sh') || to.startsWith('bin')) chmodSync(target, 0o755)
  return []
}

/**
 * A library that the CPU addon is linked with.
 * @param {string} name
 */
function library(name) {
  const found = libraries(['ldd', paths.addon]).find((path) => basename(path) === name)
  return found ?? null
}

/** Electron's loader, else the system's. */
function vulkanLoader() {
  const own = join(paths.electron, 'dist', 'libvulkan.so.1')
  if (existsSync(own)) return own
  return libraries(['ldconfig', '-p']).find((path) => basename(path) === 'libvulkan.so.1') ?? null
}

/**
 * Absolute paths in what ldd or ldconfig prints; none where the tool is missing.
 * @param {readonly string[]} command
 */
function libraries([tool, ...args]) {
  const { stdout } = spawnSync(tool, args, { encoding: 'utf8' })
  return [...(stdout ?? '').matchAll(/=> (\/\S+)/g)].map(([, path]) => path)
}
