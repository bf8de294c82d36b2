import { rmSync } from 'node:fs'

/** Half-written files and folders of this process. A forced exit must not leave them behind either. */
const halfWritten = new Set<string>()
let listening = false

export function trackTemporary(path: string): void {
  halfWritten.add(path)
  if (listening) return
  listening = true
  process.once('exit', () => {
    for (const left of halfWritten) rmSync(left, { force: true, recursive: true })
  })
}

export function forgetTemporary(path: string): void {
  halfWritten.delete(path)
}
