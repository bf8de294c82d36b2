import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

let known: string | null = null

/** Version of the product, from the package.json above this module, in the sources as in a package. */
export function appVersion(): string {
  known ??= search(dirname(fileURLToPath(import.meta.url)))
  return known
}

function search(folder: string): string {
  const parent = dirname(folder)
  try {
    const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
      name?: unknown
      version?: unknown
    }
    if (name === 'centroid-lab' && typeof version === 'string') return version
  } catch {
    // No package.json here: look further up.
  }
  return parent === folder ? 'unknown' : search(parent)
}
