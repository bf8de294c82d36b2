import { createRequire } from 'node:module'
import { join } from 'node:path'
import { paths } from './project.mjs'
import { unzip } from './unzip.mjs'

/** Offline this must fail at once; a slow download may take as long as it moves. */
const timeout = { lookup: 4000, connect: 4000, secureConnect: 4000, response: 15_000, socket: 30_000 }

/**
 * Loads the runtime the way the package `electron` would, checked against the checksums it carries.
 * @param {string} version
 * @param {string} folder empty folder to fill
 * @returns {Promise<string | null>} null when it is there, else what went wrong
 */
export async function downloadRuntime(version, folder) {
  if (process.env['ELECTRON_SKIP_BINARY_DOWNLOAD']) return 'switched off by ELECTRON_SKIP_BINARY_DOWNLOAD'
  const load = createRequire(join(paths.electron, 'package.json'))
  try {
    /** @type {string} */
    const zip = await load('@electron/get').downloadArtifact({
      version,
      artifactName: 'electron',
      platform: process.platform,
      arch: process.arch,
      checksums: load('./checksums.json'),
      downloadOptions: { quiet: true, retry: 0, timeout: timeout },
    })
    await unzip(zip, folder, (name) => name)
    return null
  } catch (error) {
    return reason(error)
  }
}

/** @param {unknown} error */
function reason(error) {
  if (!(error instanceof Error)) return String(error)
  return 'code' in error ? `not reachable, ${String(error.code)}` : error.message.split('\n')[0]
}
