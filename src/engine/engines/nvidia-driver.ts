import { readFileSync } from 'node:fs'

/** Where Linux tells it: alone, or in a sentence. */
const versionFiles = ['/sys/module/nvidia/version', '/proc/driver/nvidia/version'] as const

/** Version of NVIDIA's kernel driver, such as `580.159.04`; null where the system does not report it. */
export function nvidiaDriver(files: readonly string[] = versionFiles): string | null {
  for (const file of files) {
    const version = /(?:^|\s)(\d+(?:\.\d+)+)(?:\s|$)/.exec(textOf(file))?.[1]
    if (version !== undefined) return version
  }
  return null
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
