/** The small parts of an SVG text: numbers, colours, escaped words, elements. */

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
}

/** Whether XML 1.0 allows a character at all. */
function allowed(character: string): boolean {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x20) return code === 0x9 || code === 0xa || code === 0xd
  return !(code >= 0xd800 && code <= 0xdfff) && code !== 0xfffe && code !== 0xffff
}

/** Words of a person's file, made safe for text and attributes of an XML file. */
export function escaped(text: string): string {
  return [...text]
    .filter(allowed)
    .map((character) => entities[character] ?? character)
    .join('')
}

/** Pixels to a hundredth, without trailing zeros. */
export function px(value: number): string {
  return String(Math.round(value * 100) / 100 + 0)
}

interface Paint {
  /** `#rrggbb`, which every program that reads SVG knows. */
  readonly hex: string
  readonly opacity: number
}

/** A colour as browsers write it (`rgb(1, 2, 3)`, `rgb(1 2 3 / 9%)`, `#123456`) for programs that know less. */
export function paintOf(css: string): Paint {
  if (/^#[\da-f]{6}$/i.test(css)) return { hex: css.toLowerCase(), opacity: 1 }
  const parts = css.match(/[\d.]+%?/g) ?? []
  const channels = [0, 1, 2].map((at) => Math.min(255, Math.round(Number.parseFloat(parts[at] ?? '128'))))
  const hex = channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')
  const alpha = parts[3] ?? '1'
  const opacity = Number.parseFloat(alpha) / (alpha.endsWith('%') ? 100 : 1)
  return { hex: `#${hex}`, opacity }
}

/** The attributes `fill` or `stroke` of a colour, with its opacity where it is not opaque. */
export function colourOf(use: 'fill' | 'stroke', css: string): string {
  const { hex, opacity } = paintOf(css)
  return opacity === 1 ? `${use}="${hex}"` : `${use}="${hex}" ${use}-opacity="${px(opacity)}"`
}

export interface TextStyle {
  readonly size: number
  readonly colour: string
  readonly bold?: boolean
  readonly anchor?: 'start' | 'middle' | 'end'
  /** Degrees about its own place. */
  readonly turned?: number
}

/** One line of text whose baseline starts, is centred or ends at a place. */
export function textAt(left: number, top: number, text: string, style: TextStyle): string {
  const { size, colour, bold = false, anchor = 'start', turned = 0 } = style
  const weight = bold ? ' font-weight="600"' : ''
  const turn = turned === 0 ? '' : ` transform="rotate(${px(turned)} ${px(left)} ${px(top)})"`
  const attributes = `x="${px(left)}" y="${px(top)}" font-size="${px(size)}"${weight} text-anchor="${anchor}"${turn}`
  return `<text ${attributes} ${colourOf('fill', colour)}>${escaped(text)}</text>`
}

/** A share of the font's size that letters take on average; a little too much, so that nothing is cut. */
const letterShare = 0.56

/** Width of a text in pixels, about: an SVG text is written where no font can be measured. */
export function aboutWidth(text: string, size: number): number {
  return [...text].length * size * letterShare
}

/** Words broken into lines that fit a width. */
export function wrapped(text: string, width: number, size: number): readonly string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && aboutWidth(`${last} ${word}`, size) <= width)
      lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}
