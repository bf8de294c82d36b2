import { enableCompileCache } from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { platform } from 'node:process'

/** `CENTROID_LAB_CACHE_DIR`, else the user's cache folder by the custom of the platform. */
export function cacheFolder(env: NodeJS.ProcessEnv = process.env): string {
  if (env.CENTROID_LAB_CACHE_DIR) return env.CENTROID_LAB_CACHE_DIR
  if (platform === 'win32')
    return join(env.LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local'), 'centroid-lab')
  if (platform === 'darwin') return join(homedir(), 'Library', 'Caches', 'centroid-lab')
  return join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'centroid-lab')
}

/**
 * What is imported from here on is compiled once for all processes to come: a fifth of what a small command takes. A folder
 * that cannot be written is no reason to fail, and each process compiles for itself.
 */
export function keepCompiledCode(): void {
  enableCompileCache(join(cacheFolder(), 'compiled'))
}
