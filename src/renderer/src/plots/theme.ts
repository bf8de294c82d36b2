/** The colours of the style sheet as plain values for canvases, which cannot read custom properties. */
export interface PlotTheme {
  readonly ink: string
  readonly quietInk: string
  readonly grid: string
  readonly ground: string
  readonly accent: string
  readonly neutralPoint: string
  readonly font: string
}

const tokens = {
  ink: '--ink',
  quietInk: '--ink-quiet',
  grid: '--plot-grid',
  ground: '--ground',
  accent: '--accent',
  neutralPoint: '--plot-neutral',
} as const

/** Resolves the tokens as they stand on an element; `light-dark()` is resolved by asking for a used colour. */
export function readTheme(element: HTMLElement): PlotTheme {
  const probe = document.createElement('span')
  probe.hidden = true
  element.append(probe)
  const resolve = (token: string): string => {
    probe.style.color = `var(${token})`
    return getComputedStyle(probe).color
  }
  const resolved = Object.fromEntries(Object.entries(tokens).map(([name, token]) => [name, resolve(token)]))
  const font = getComputedStyle(element).fontFamily
  probe.remove()
  return { ...(resolved as Record<keyof typeof tokens, string>), font }
}

/** The red, green and blue of a resolved `rgb(...)` colour. */
export function rgbOfCss(colour: string): readonly [number, number, number] {
  const [red = 128, green = 128, blue = 128] = (colour.match(/[\d.]+/g) ?? []).map(Number)
  return [red, green, blue]
}

/** Calls back when the system's theme or the chosen one changes; the answer stops that. */
export function onThemeChange(changed: () => void): () => void {
  const media = matchMedia('(prefers-color-scheme: dark)')
  const observer = new MutationObserver(changed)
  media.addEventListener('change', changed)
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] })
  return () => {
    media.removeEventListener('change', changed)
    observer.disconnect()
  }
}
