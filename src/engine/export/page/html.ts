import { printableLines } from '@shared/printable'

/** Markup that is safe to print as it is. */
export interface Html {
  readonly markup: string
}

type Part = string | number | Html | readonly Html[]

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Markup with every text in it escaped, in content as in quoted attributes; only `Html` is printed as it is. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const markup = strings.reduce(
    (text, piece, at) => text + piece + (at < parts.length ? printed(parts[at]) : ''),
    '',
  )
  return { markup }
}

export const nothing: Html = { markup: '' }

function printed(part: Part): string {
  if (typeof part === 'string')
    return printableLines(part).replace(/[&<>"']/g, (sign) => entities[sign] ?? sign)
  if (typeof part === 'number') return String(part)
  return 'markup' in part ? part.markup : part.map(({ markup }) => markup).join('\n')
}
