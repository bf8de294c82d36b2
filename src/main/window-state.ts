import { join } from 'node:path'
import { app, screen, type BrowserWindow, type Rectangle } from 'electron'
import * as v from 'valibot'
import { readJson, writeJsonNow } from './json-file'

/** How the window was left. Its zoom is not here: Chromium itself remembers that for a page. */
export interface WindowState {
  /** Where it is when it is not maximised; none for a first start. */
  readonly bounds: Partial<Rectangle>
  readonly maximised: boolean
}

const whole = v.pipe(v.number(), v.integer())
const stateSchema = v.object({
  x: whole,
  y: whole,
  width: v.pipe(whole, v.minValue(900)),
  height: v.pipe(whole, v.minValue(600)),
  maximised: v.optional(v.boolean(), false),
})

/** Reads how the window was left, while the program starts; a place that is on no screen any more is not used. */
export async function readWindowState(): Promise<WindowState> {
  // Nothing is known of the screens before the app is ready.
  const [stored] = await Promise.all([readJson(stateFile(), stateSchema), app.whenReady()])
  if (stored === null) return { bounds: {}, maximised: false }
  const { maximised, ...bounds } = stored
  return { bounds: isOnScreen(bounds) ? bounds : {}, maximised }
}

export function keepWindowState(window: BrowserWindow): void {
  writeJsonNow(stateFile(), { ...window.getNormalBounds(), maximised: window.isMaximized() })
}

function stateFile(): string {
  return join(app.getPath('userData'), 'window.json')
}

function isOnScreen({ x, y, width }: Rectangle): boolean {
  return screen.getAllDisplays().some(({ workArea }) => {
    const right = workArea.x + workArea.width
    return (
      x + width > workArea.x + 100 &&
      x < right - 100 &&
      y >= workArea.y &&
      y < workArea.y + workArea.height - 100
    )
  })
}
