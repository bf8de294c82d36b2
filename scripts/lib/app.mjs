import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fingerprint, isStamped, stamp } from './fingerprint.mjs'
import { hostNode } from './host-node.mjs'
import { at, paths } from './project.mjs'
import { capture } from './run.mjs'

const stampFile = join(paths.out, 'built.stamp')
const inputs = [
  'src',
  'kernels/variants',
  'kernels/common',
  'kernels/methods',
  'electron.vite.config.ts',
  'scripts/generate-licences.mjs',
  'scripts/lib/system-licences.mjs',
  'LICENSE',
  'tsconfig.base.json',
  'package.json',
  'package-lock.json',
].map((entry) => at(entry))
const isSource = (/** @type {string} */ path) => !/\.test\.ts$|\.(cpp|h|hpp|md)$/.test(path)

/** The application itself: main, preload, window, engine host and command line, bundled into out/. */
export const app = {
  name: 'application',
  isDone: () => existsSync(paths.cli) && isStamped(stampFile, appFingerprint()),
  run: async () => {
    const wanted = appFingerprint()
    await capture(hostNode, [at('node_modules', 'electron-vite', 'bin', 'electron-vite.js'), 'build'], {
      env: { ...process.env, NODE_ENV: 'production' },
      failure: 'The application could not be built; see the lines above.',
    })
    stamp(stampFile, wanted)
    return 'out/'
  },
}

function appFingerprint() {
  return fingerprint(inputs, isSource)
}
