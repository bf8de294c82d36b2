import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { FuseV1Options, FuseVersion, flipFuses } from '@electron/fuses'
import { readAsar, writeAsar } from './asar.mjs'
import { SetupFailure } from './failure.mjs'
import { filesBelow, copyParts } from './package-files.mjs'
import { asarEntries, packageParts, stripped, windowProgram } from './package-layout.mjs'
import { capture } from './run.mjs'

const archive = 'resources/app.asar'

/**
 * Switches inside Electron's program that nobody can change from outside.
 */
const fuses = {
  version: FuseVersion.V1,
  /** Nobody turns the program into a Node that runs any script, nor attaches a debugger. */
  [FuseV1Options.RunAsNode]: false,
  [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: false,
  [FuseV1Options.EnableNodeCliInspectArguments]: false,
  [FuseV1Options.OnlyLoadAppFromAsar]: true,
  /** Electron 33 compares hashes on Windows and macOS only; on Linux the folder's owner protects the archive. */
  [FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: true,
  /** There are no cookies; encrypting them would ask the desktop's key ring for a password. */
  [FuseV1Options.EnableCookieEncryption]: false,
  /** The page has a scheme of its own. */
  [FuseV1Options.GrantFileProtocolExtraPrivileges]: false,
  [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
}

/**
 * Makes the folder that both packages hold, anew.
 * @param {string} folder
 * @param {{cuda: boolean, gomp: string}} options
 */
export async function makeTree(folder, options) {
  rmSync(folder, { recursive: true, force: true })
  copyParts(packageParts(options), folder)
  await writeAsar(asarEntries(), join(folder, archive))
  await strip(folder)
  await flipFuses(join(folder, windowProgram), { strictlyRequireAllFuses: true, ...fuses })
  // Readable by everybody, whatever the umask of who packs.
  await capture('chmod', ['-R', 'u=rwX,go=rX', folder], {
    failure: `The modes of ${folder} could not be set.`,
  })
  const wrong = unwanted(folder)
  if (wrong.length > 0) {
    throw new SetupFailure(`The package would hold what does not belong into one: ${wrong.join(', ')}.`)
  }
}

/** @param {string} folder */
async function strip(folder) {
  const files = stripped
    .map((file) => join(folder, file))
    .filter((file) => statSync(file, { throwIfNoEntry: false }))
  await capture('strip', ['--strip-unneeded', ...files], {
    failure: 'strip could not make the programs of the package smaller; see the lines above.',
  })
}

const wanted = /^resources\/engine\/node_modules\/webgpu\//
const never = [/\.map$/, /\.tsx?$/, /\.vue$/, /\.test\./, /default_app/, /\.(?:cc?|cpp|cu|cuh|h|hpp)$/]

/**
 * Files of a finished tree that must not be shipped: source maps, sources, packages, the development entry.
 * @param {string} folder
 * @returns {string[]}
 */
export function unwanted(folder) {
  const inside = readAsar(join(folder, archive))
  const files = [...filesBelow(folder), ...[...inside.keys()].map((path) => `${archive}/${path}`)]
  const withMaps = [...inside].filter(
    ([path, body]) => /\.c?js$/.test(path) && body.includes('\n//# sourceMappingURL='),
  )
  return [
    ...files.filter((file) => never.some((pattern) => pattern.test(file))),
    ...files.filter((file) => file.includes('node_modules/') && !wanted.test(file)),
    ...withMaps.map(([path]) => `${archive}/${path}`),
  ]
}
