import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

const timeout = 20_000

function said(program: string, ...args: readonly string[]): string {
  const { stdout } = spawnSync(program, args, { encoding: 'utf8' })
  return stdout.trim()
}

/** The whole display into E2E_SCREENSHOTS: a desktop's dialog is in no picture of the page. */
export function pictureOfDisplay(name: string): void {
  const target = process.env['E2E_SCREENSHOTS']
  if (!target) return
  mkdirSync(target, { recursive: true })
  spawnSync('import', ['-window', 'root', join(target, `${name}.png`)])
}

/** Waits for a dialog of the desktop by its title and gives it the keys. @returns its X window */
export async function dialogTitled(title: string): Promise<string> {
  const until = Date.now() + timeout
  while (Date.now() < until) {
    const found = said('xdotool', 'search', '--onlyvisible', '--name', `^${title}$`).split('\n').at(-1)
    if (found) {
      await delay(700)
      said('xdotool', 'windowfocus', '--sync', found)
      return found
    }
    await delay(200)
  }
  throw new Error(`no dialog is titled ${title}`)
}

/** Types a path of plain letters as a person does who knows it: its first slash opens the line for it. */
export async function typePath(path: string, picture: string): Promise<void> {
  said('xdotool', 'type', path.slice(0, 1))
  await delay(700)
  said('xdotool', 'type', '--delay', '40', path.slice(1))
  await delay(700)
  pictureOfDisplay(picture)
  said('xdotool', 'key', 'Return')
}

export const press = (key: string): string => said('xdotool', 'key', key)

export function isOpen(window: string): boolean {
  return said('xdotool', 'search', '--onlyvisible', '--name', '.').split('\n').includes(window)
}
