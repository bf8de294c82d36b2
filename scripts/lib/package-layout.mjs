// What lies where in a package. All of it is one folder, which works wherever it lies:
//   centroid-lab-window      Electron, with its libraries and SwiftShader beside it, where the engines look for them
//   bin/centroid-lab         the command line
//   resources/app.asar       main, preload and window; the fuses let Electron load nothing else
//   resources/engine/        engine host and command line with addons and Dawn: plain Node reads no archive
//   resources/node/node      the Node that runs them
import { existsSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { collectLicences } from '../generate-licences.mjs'
import { at, paths } from './project.mjs'
import { SetupFailure } from './failure.mjs'
import { filesBelow, missingPackages, withImports } from './package-files.mjs'
import { desktopIcons } from './package-icons.mjs'

/** @typedef {import('./package-files.mjs').Part} Part */

export const windowProgram = 'centroid-lab-window'
export const sandboxHelper = 'chrome-sandbox'

const program = 0o755
const electron = join(paths.electron, 'dist')
/** Of Chromium's own texts only those in the window's language; the rest would add 40 MB. */
const locale = 'en-US.pak'

/** Program files that are made smaller by leaving out names that only a debugger reads. */
export const stripped = [
  'resources/node/node',
  'resources/engine/.native/centroid_cpu.node',
  'resources/engine/.native/centroid_cuda.node',
  'resources/engine/.native/centroid_mpi.node',
  'resources/engine/.native/libtbb.so.12',
  'resources/engine/.native/libgomp.so.1',
  'resources/engine/node_modules/webgpu/dist/linux-x64/dawn.node',
]

/**
 * @param {{cuda: boolean, gomp: string}} options gomp: path of the OpenMP library that the addon is linked with
 * @returns {Part[]}
 */
export function packageParts({ cuda, gomp }) {
  return [...electronParts(), ...engineParts(cuda, gomp), ...exampleParts(), ...linuxParts()]
}

/**
 * Electron without its development entry, its licence under a name that tells whose it is.
 * @returns {Part[]}
 */
function electronParts() {
  return filesBelow(electron)
    .filter(
      (file) =>
        !file.startsWith('resources/') && (!file.startsWith('locales/') || file.endsWith(`/${locale}`)),
    )
    .map((file) => ({
      from: join(electron, file),
      to: { electron: windowProgram, LICENSE: 'LICENSE.electron.txt' }[file] ?? file,
      mode: ['electron', sandboxHelper, 'chrome_crashpad_handler'].includes(file) ? program : 0o644,
    }))
}

/**
 * @param {boolean} cuda
 * @param {string} gomp
 * @returns {Part[]}
 */
function engineParts(cuda, gomp) {
  const engine = 'resources/engine'
  const native = `${engine}/.native`
  const webgpu = ['package.json', 'index.js', 'LICENSE.md', 'dist/linux-x64/dawn.node']
  const tbb = at('.native', 'libtbb.so.12')
  return [
    { from: paths.pinnedNode, to: 'resources/node/node', mode: program },
    { from: Buffer.from(manifest({})), to: `${engine}/package.json` },
    ...built(['host.js', 'cli.js']).map(({ from, to }) => ({ from, to: `${engine}/out/${to}` })),
    { from: paths.addon, to: `${native}/centroid_cpu.node` },
    ...(cuda ? [{ from: paths.cudaAddon, to: `${native}/centroid_cuda.node` }] : []),
    // For runs of several processes; it asks for the system's MPI, where mpirun starts it.
    ...(existsSync(paths.mpiAddon) ? [{ from: paths.mpiAddon, to: `${native}/centroid_mpi.node` }] : []),
    // Absent where the addon was built without it; then nothing asks for it.
    ...(existsSync(tbb) ? [{ from: tbb, to: `${native}/libtbb.so.12` }] : []),
    { from: gomp, to: `${native}/libgomp.so.1` },
    ...webgpu.map((file) => ({
      from: at('node_modules', 'webgpu', file),
      to: `${engine}/node_modules/webgpu/${file}`,
    })),
  ]
}

/** @returns {Part[]} */
function exampleParts() {
  return filesBelow(at('examples')).map((file) => ({
    from: at('examples', file),
    to: `resources/examples/${file}`,
  }))
}

/** @returns {Part[]} */
function linuxParts() {
  const icons = desktopIcons().map(({ from, to }) => ({ from, to: `resources/icons/hicolor/${to}` }))
  return [
    { from: at('build', 'linux', 'centroid-lab'), to: 'bin/centroid-lab', mode: program },
    { from: at('build', 'linux', 'apparmor-profile'), to: 'resources/apparmor-profile' },
    { from: at('LICENSE'), to: 'LICENSE' },
    { from: Buffer.from(licencesText()), to: 'LICENCES.txt' },
    ...icons,
  ]
}

/**
 * What Electron loads.
 * @returns {{from: string | Buffer, to: string}[]}
 */
export function asarEntries() {
  const { main } = JSON.parse(readFileSync(at('package.json'), 'utf8'))
  const pages = ['preload', 'renderer'].flatMap((folder) =>
    filesBelow(join(paths.out, folder)).map((file) => ({
      from: join(paths.out, folder, file),
      to: `out/${folder}/${file}`,
    })),
  )
  return [
    { from: Buffer.from(manifest({ main, desktopName: 'centroid-lab.desktop' })), to: 'package.json' },
    ...built(['index.js']).map(({ from, to }) => ({ from, to: `out/${to}` })),
    { from: join(paths.out, 'main', 'licences.json'), to: 'out/main/licences.json' },
    ...pages,
  ]
}

/**
 * Built programs of the main folder, with what they import.
 * @param {readonly string[]} names
 * @returns {{from: string, to: string}[]} to: path below out/
 */
function built(names) {
  const files = [...new Set(names.flatMap((name) => withImports(join(paths.out, 'main', name))))]
  const missing = missingPackages(files, ['electron', 'webgpu'])
  if (missing.length > 0) {
    throw new SetupFailure(
      `The built programs ask for ${missing.join(', ')}, which no package carries: name it in electron.vite.config.ts, so that it is built in.`,
    )
  }
  return files.map((from) => ({ from, to: relative(paths.out, from) }))
}

/**
 * A package.json that says who we are and nothing of how we are made.
 * @param {Record<string, string>} more
 */
function manifest(more) {
  const { name, productName, version, description, license, type } = JSON.parse(
    readFileSync(at('package.json'), 'utf8'),
  )
  return `${JSON.stringify({ name, productName, version, description, license, type, ...more }, null, 2)}\n`
}

/** Every licence as one text. */
export function licencesText() {
  const line = '='.repeat(100)
  const all = collectLicences().map(
    ({ name, version, licence, text }) => `${line}\n${name} ${version}: ${licence}\n${line}\n\n${text}\n`,
  )
  return `Licences of everything in this package.\n\n${all.join('\n')}`
}
