#!/usr/bin/env node
// Makes the packages for Linux on x86-64, with no network: npm run package [-- --help]
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { callersFolder } from './lib/become.mjs'
import { buildCuda } from './lib/cuda-addon.mjs'
import { runProgram, SetupFailure } from './lib/failure.mjs'
import { packageHelp, packageOptions } from './lib/package-options.mjs'
import { openmpLibrary, requireLinux, requireTools } from './lib/package-tools.mjs'
import { paths } from './lib/project.mjs'
import { firstLine } from './lib/run.mjs'
import { setUpPackage } from './lib/setup.mjs'
import { seconds } from './lib/steps.mjs'

/** @typedef {import('./lib/package-options.mjs').PackageOptions} PackageOptions */

/** Bytes: larger ones are a burden where everything is carried by hand. */
const largest = 160e6

await runProgram(async () => {
  const options = packageOptions(process.argv.slice(2), firstLine('nvcc', ['--version']) !== null)
  if (options.help) {
    process.stdout.write(packageHelp)
    return 0
  }
  requireLinux()
  requireTools(['strip', 'ldd'])
  if (options.deb) requireTools(['dpkg-deb', 'objdump'])
  if (options.tar) requireTools(['tar', 'gzip'])
  await setUpPackage()
  const cuda = await cudaAddon(options)
  const out = options.out === null ? paths.dist : resolve(callersFolder(), options.out)
  const files = await make(out, options, cuda)
  writeFileSync(join(out, 'SHA256SUMS'), files.map(checksum).join(''))
  for (const file of files) console.error(`${file}: ${megabytes(file)} MB`)
  const large = files.filter((file) => statSync(file).size > largest)
  if (large.length === 0) return 0
  throw new SetupFailure(`Larger than the ${largest / 1e6} MB that a package may have: ${large.join(', ')}.`)
})

/**
 * @param {PackageOptions} options
 * @returns {Promise<boolean>} whether the package has the CUDA engine
 */
async function cudaAddon({ cuda }) {
  if (cuda === 'all') await step('CUDA addon for every card', () => buildCuda(''))
  if (cuda === 'built' && !existsSync(paths.cudaAddon)) {
    throw new SetupFailure(
      'There is no .native/centroid_cuda.node: run npm run build:cuda, or choose --cuda none.',
    )
  }
  if (cuda === 'none') console.error('package: without the CUDA engine')
  return cuda !== 'none'
}

/**
 * @param {string} out
 * @param {PackageOptions} options
 * @param {boolean} cuda
 * @returns {Promise<string[]>} what was made
 */
async function make(out, options, cuda) {
  // Not at the top: in a fresh clone the set-up has to install what these import.
  const { makeTree } = await import('./lib/package-tree.mjs')
  const { licencesText } = await import('./lib/package-layout.mjs')
  const { makeDeb } = await import('./lib/package-deb.mjs')
  const { makeTar } = await import('./lib/package-tar.mjs')
  const work = join(out, 'work')
  const tree = join(work, 'tree')
  mkdirSync(work, { recursive: true })
  const files = []
  try {
    await step('folder', () => makeTree(tree, { cuda, gomp: openmpLibrary() }))
    if (options.deb) files.push(await step('Debian package', () => makeDeb(tree, out)))
    if (options.tar) files.push(await step('portable archive', () => makeTar(tree, out)))
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
  const licences = join(out, 'LICENCES.txt')
  writeFileSync(licences, licencesText())
  return [...files, licences]
}

/**
 * @template T
 * @param {string} name
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
async function step(name, work) {
  const start = performance.now()
  process.stderr.write(`package: ${name} ... `)
  const result = await work()
  process.stderr.write(`${seconds(start)}\n`)
  return result
}

/** @param {string} file */
function checksum(file) {
  return `${createHash('sha256').update(readFileSync(file)).digest('hex')}  ${basename(file)}\n`
}

/** @param {string} file */
function megabytes(file) {
  return (statSync(file).size / 1e6).toFixed(1)
}
