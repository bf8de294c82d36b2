import { clipboard, nativeImage, nativeTheme } from 'electron'
import { LabError } from '@shared/errors'
import { about } from '../about'
import { restored } from './sessions'
import type { HandlersOf, HandlerContext } from './context'

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
export function appHandlers({
  engine,
  files,
  sessions,
  settings,
  window,
  menu,
}: HandlerContext): HandlersOf<AppChannel> {
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
    'app.ready': () => {
      window.pageIsReady()
      const file = sessions.take()
      if (file !== null) window.send('app.restore', restored(files, file))
      return null
    },
    'app.about': () => about(engine),
  }
}

/** @throws LabError for bytes that are no picture: the clipboard would be emptied without a word. */
function copyImage(png: Uint8Array): void {
  const image = nativeImage.createFromBuffer(Buffer.from(png.buffer, png.byteOffset, png.byteLength))
  if (image.isEmpty()) {
    throw new LabError(
      'internal',
      'copy.no-image',
      'The plot could not be copied as an image: make it smaller, or save it as SVG.',
    )
  }
  clipboard.writeImage(image)
}
