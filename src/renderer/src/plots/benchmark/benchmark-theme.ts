/** What the plots of a comparison need of the style sheet beyond the colours of every plot. */
import { readTheme, resolveTokens, type PlotTheme } from '../theme'

export interface BenchmarkTheme extends PlotTheme {
  readonly error: string
}

/** The theme as it stands on an element. */
export function readBenchmarkTheme(element: HTMLElement): BenchmarkTheme {
  return { ...readTheme(element), ...resolveTokens(element, { error: '--error' }) }
}

/** The light theme, whatever the window shows: for files that are read on white. */
export function lightBenchmarkTheme(parent: HTMLElement): BenchmarkTheme {
  const page = document.createElement('div')
  page.hidden = true
  page.style.colorScheme = 'light'
  parent.append(page)
  const theme = readBenchmarkTheme(page)
  page.remove()
  return theme
}
