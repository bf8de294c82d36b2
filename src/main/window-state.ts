import { app, screen, type BrowserWindow, type Rectangle } from 'electron'
import * as v from 'valibot'
import type { StateFile, StateFiles } from './state-files'
import { t } from '@shared/locale/translate'

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

const windowFile = {
  name: 'window.json',
  schema: stateSchema,
  maxBytes: 2 ** 16,
  lost: {
    get subject() {
      return t('desktop.theSizeAndPositionOfThe')
    },
    get instead() {
      return t('desktop.wereResetToTheDefaults')
    },
  },
} satisfies StateFile<unknown>

/** Reads how the window was left, while the program starts; a place that is on no screen any more is not used. */
export async function readWindowState(state: StateFiles): Promise<WindowState> {
  // Nothing is known of the screens before the app is ready.
  const [stored] = await Promise.all([state.read(windowFile), app.whenReady()])
  if (stored === null) return { bounds: {}, maximised: false }
  const { maximised, ...bounds } = stored
  return { bounds: isOnScreen(bounds) ? bounds : {}, maximised }
}

export function keepWindowState(state: StateFiles, window: BrowserWindow): void {
  state.write(windowFile, { ...window.getNormalBounds(), maximised: window.isMaximized() })
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
