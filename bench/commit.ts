import { execFileSync } from 'node:child_process'

/** Of the checkout; CENTROID_LAB_COMMIT where there is no repository, as in the bundle for a GPU machine. */
export function commit(): string {
  const given = process.env['CENTROID_LAB_COMMIT']
  if (given !== undefined && given !== '') return given
  try {
    const cwd = import.meta.dirname
    const stdio = ['ignore', 'pipe', 'ignore'] as ['ignore', 'pipe', 'ignore']
    return execFileSync('git', ['describe', '--always', '--dirty'], { cwd, stdio, encoding: 'utf8' }).trim()
  } catch {
    return 'unknown'
  }
}
