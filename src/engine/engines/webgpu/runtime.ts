import { existsSync, readdirSync } from 'node:fs'
import { constants } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Which adapters may be used; `CENTROID_LAB_WEBGPU_ADAPTER` forces one kind. */
export type AdapterChoice = 'any' | 'hardware' | 'software'

const icdFile = 'vk_swiftshader_icd.json'
const loaderFile = 'libvulkan.so.1'
const systemIcdFolders = [
  '/etc/vulkan/icd.d',
  '/usr/local/etc/vulkan/icd.d',
  '/usr/local/share/vulkan/icd.d',
  '/usr/share/vulkan/icd.d',
]
/** glibc's RTLD_NODELETE: the library stays although it is no Node addon. Not among Node's constants. */
const noDelete = 0x1000

/** Reads CENTROID_LAB_WEBGPU_ADAPTER; any other text than the two words means `any`. */
export function adapterChoice(environment: NodeJS.ProcessEnv = process.env): AdapterChoice {
  const asked = environment['CENTROID_LAB_WEBGPU_ADAPTER']
  return asked === 'hardware' || asked === 'software' ? asked : 'any'
}

/**
 * Folder with SwiftShader and its Vulkan loader: CENTROID_LAB_SWIFTSHADER_DIR, else the Electron runtime found
 * upwards from this module or beside the running program. Null when there is none.
 */
export function swiftShaderFolder(environment: NodeJS.ProcessEnv = process.env): string | null {
  const asked = environment['CENTROID_LAB_SWIFTSHADER_DIR']
  if (asked !== undefined && asked !== '') return existsSync(join(asked, icdFile)) ? asked : null
  const starts = [dirname(fileURLToPath(import.meta.url)), dirname(process.execPath)]
  for (const folder of starts.flatMap(ancestors)) {
    for (const candidate of [folder, join(folder, 'node_modules/electron/dist')]) {
      if (existsSync(join(candidate, icdFile))) return candidate
    }
  }
  return null
}

/**
 * Points the Vulkan loader at the drivers to use and makes sure that a loader is there. Must run before the
 * package `webgpu` is imported, once per process. Platforms with a native backend need nothing.
 */
export function prepareVulkan(choice: AdapterChoice): void {
  if (process.platform !== 'linux') return
  const folder = swiftShaderFolder()
  const software = folder === null || choice === 'hardware' ? [] : [join(folder, icdFile)]
  const hardware = choice === 'software' ? [] : systemDrivers()
  const drivers = [...hardware, ...software].join(delimiter)
  // An empty list would make the loader search by itself, which must not happen under `software`.
  process.env['VK_DRIVER_FILES'] = drivers === '' ? '/nonexistent' : drivers
  process.env['VK_ICD_FILENAMES'] = process.env['VK_DRIVER_FILES']
  if (!loadLibrary(loaderFile) && folder !== null) loadLibrary(join(folder, loaderFile))
}

function systemDrivers(): string[] {
  const set = process.env['VK_DRIVER_FILES'] ?? process.env['VK_ICD_FILENAMES']
  if (set !== undefined && set !== '') return set.split(delimiter)
  return systemIcdFolders.filter(existsSync).flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .map((name) => join(folder, name)),
  )
}

/**
 * Loads a shared library so that a later dlopen by its bare name finds it. `process.dlopen` always throws for
 * a library that is no addon; only the words of the error tell whether it was loaded.
 */
function loadLibrary(path: string): boolean {
  try {
    process.dlopen({ exports: {} }, path, constants.dlopen.RTLD_NOW | noDelete)
    return true
  } catch (error) {
    return error instanceof Error && error.message.includes('did not self-register')
  }
}

function ancestors(folder: string): string[] {
  const parent = dirname(folder)
  return parent === folder ? [folder] : [folder, ...ancestors(parent)]
}
