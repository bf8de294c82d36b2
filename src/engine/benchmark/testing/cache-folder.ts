import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, vi } from 'vitest'

/** A cache folder of its own for the tests of a file. @returns its path, known when the first of them begins */
export function withOwnCache(): () => string {
  let folder = ''
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'centroid-bench-'))
    vi.stubEnv('CENTROID_LAB_CACHE_DIR', folder)
  })
  afterAll(async () => {
    vi.unstubAllEnvs()
    await rm(folder, { recursive: true, force: true })
  })
  return () => folder
}
