import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A place that takes so many bytes and no more. */
export interface SmallDisk {
  readonly folder: string
  /** Words before a command that make the limit hold for it. */
  readonly before: readonly string[]
  close(): void
}

/** How a small disk is had here: a tmpfs where root may mount one, else a limit on the size of each file. */
export function wayOfSmallDisks(): 'tmpfs' | 'file size limit' {
  try {
    smallTmpfs(1 << 16).close()
    return 'tmpfs'
  } catch {
    return 'file size limit'
  }
}

export function smallDisk(way: ReturnType<typeof wayOfSmallDisks>, bytes: number): SmallDisk {
  return way === 'tmpfs' ? smallTmpfs(bytes) : limitedFiles(bytes)
}

function smallTmpfs(bytes: number): SmallDisk {
  const folder = mkdtempSync(join(tmpdir(), 'centroid-lab-small-'))
  // Also few files: names take memory, which counts.
  const { status } = spawnSync('mount', [
    '-t',
    'tmpfs',
    '-o',
    `size=${Math.max(4096, bytes)}`,
    'tmpfs',
    folder,
  ])
  const close = () => {
    if (status === 0) spawnSync('umount', ['-l', folder])
    rmSync(folder, { recursive: true, force: true })
  }
  if (status === 0) return { folder, before: [], close }
  close()
  throw new Error('no tmpfs can be mounted here')
}

function limitedFiles(bytes: number): SmallDisk {
  const folder = mkdtempSync(join(tmpdir(), 'centroid-lab-small-'))
  mkdirSync(folder, { recursive: true })
  // In blocks of 512 bytes; a file that grows beyond is refused instead of the process being ended.
  const limit = `trap '' XFSZ; ulimit -f ${Math.max(1, Math.floor(bytes / 512))}; exec "$@"`
  return {
    folder,
    before: ['sh', '-c', limit, 'sh'],
    close: () => rmSync(folder, { recursive: true, force: true }),
  }
}
