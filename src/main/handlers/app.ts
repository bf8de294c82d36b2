import { clipboard, nativeImage, nativeTheme } from 'electron'
import { LabError } from '@shared/errors'
import { about } from '../about'
import { fileStates, openedSession } from '../open-session'
import type { HandlersOf, HandlerContext } from './context'
import { t } from '@shared/locale/translate'

type AppChannel =
  | 'app.settings'
  | 'app.save-settings'
  | 'app.host-state'
  | 'app.start-engine'
  | 'app.copy'
  | 'app.copy-image'
  | 'app.menu-state'
  | 'app.ready'
  | 'app.about'

/** The desktop around the window: settings, clipboard, menu, versions. */
export function appHandlers(parts: HandlerContext): HandlersOf<AppChannel> {
  const { engine, sessions, settings, window, menu } = parts
  return {
    'app.settings': () => settings.get(),
    'app.save-settings': ({ settings: changes }) => {
      if (changes.theme) nativeTheme.themeSource = changes.theme
      settings.save(changes)
      return null
    },
    'app.host-state': () => engine.state,
    'app.start-engine': () => {
      engine.startAgain()
      return null
    },
    'app.copy': ({ text }) => {
      clipboard.writeText(text)
      return null
    },
    'app.copy-image': ({ png }) => {
      copyImage(png)
      return null
    },
    'app.menu-state': ({ enabled }) => {
      menu.enable(enabled)
      return null
    },
    'app.ready': async () => {
      window.pageIsReady()
      const kept = sessions.take()
      if (kept === null) return null
      const session = openedSession(parts, kept, await fileStates(parts, kept.datasets))
      window.send('app.restore', { session, byForce: true })
      return null
    },
    'app.about': () => about(engine),
  }
}

/** @throws LabError for bytes that are no picture: the clipboard would be emptied without a word. */
function copyImage(png: Uint8Array): void {
  const image = nativeImage.createFromBuffer(Buffer.from(png.buffer, png.byteOffset, png.byteLength))
  if (image.isEmpty()) {
    throw new LabError('internal', 'copy.no-image', t('desktop.thePlotCouldNotBeCopied'))
  }
  clipboard.writeImage(image)
}
