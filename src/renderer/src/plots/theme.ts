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

/** Used colours of tokens as they stand on an element; `light-dark()` is resolved by asking for a used colour. */
export function resolveTokens<Name extends string>(
  element: HTMLElement,
  tokenOf: Readonly<Record<Name, string>>,
): Record<Name, string> {
  const probe = document.createElement('span')
  probe.hidden = true
  element.append(probe)
  const names = Object.keys(tokenOf) as Name[]
  const resolved = names.map((name) => {
    probe.style.color = `var(${tokenOf[name]})`
    return [name, getComputedStyle(probe).color] as const
  })
  probe.remove()
  return Object.fromEntries(resolved) as Record<Name, string>
}

/** The colours and the font of plots on an element. */
export function readTheme(element: HTMLElement): PlotTheme {
  return { ...resolveTokens(element, tokens), font: getComputedStyle(element).fontFamily }
}

/** Calls with an element that has the colours of a scheme, whatever the window's are. */
export async function withColours<T>(
  scheme: 'screen' | 'light' | 'dark',
  work: (element: HTMLElement) => Promise<T>,
): Promise<T> {
  if (scheme === 'screen') return work(document.body)
  const element = document.createElement('div')
  element.hidden = true
  element.style.colorScheme = scheme
  document.body.append(element)
  try {
    return await work(element)
  } finally {
    element.remove()
  }
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
