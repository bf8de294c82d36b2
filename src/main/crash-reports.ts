import { readdir } from 'node:fs/promises'
import { app, crashReporter } from 'electron'
import type { CrashReports } from '@shared/ipc'

/** Keeps what Crashpad writes when a process of ours crashes. Nothing is sent anywhere. Before the app is ready. */
export function keepCrashReports(): void {
  crashReporter.start({ uploadToServer: false, compress: false })
}

/** Where the reports lie, and how many there are. */
export async function crashReports(): Promise<CrashReports> {
  const folder = app.getPath('crashDumps')
  const names = await readdir(folder, { recursive: true }).catch(() => [])
  return { folder, count: names.filter((name) => name.endsWith('.dmp')).length }
}
