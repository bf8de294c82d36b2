import { generatedName } from '@shared/generator'
import { chooseTarget } from '../dialogs'
import type { HandlersOf, HandlerContext } from './context'

/** Data that is made goes where a dialog said, and is then a file like any other. */
export function generateHandlers({ engine, files, window }: HandlerContext): HandlersOf<'app.generate'> {
  return {
    'app.generate': async ({ spec, format }) => {
      const proposed = `${generatedName(spec)}.${format === 'csv' ? 'csv' : 'txt'}`
      const path = await chooseTarget(window.browser, proposed)
      if (path === null) return null
      const { bytes } = await engine.request('generate.write', { spec, format, path, replace: true })
      return { file: await files.choose(path), bytes }
    },
  }
}
