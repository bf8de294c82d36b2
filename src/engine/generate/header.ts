import type { GeneratorSpec } from '@shared/generator'

/** `x1,x2,...` with its line end. */
export function csvHeader(d: number): string {
  return `${Array.from({ length: d }, (_, j) => `x${j + 1}`).join(',')}\n`
}

/** The three lines of counts of the headed format (spec section 2). */
export function headedLines({ n, d, k }: GeneratorSpec): string {
  return `${n}\n${d}\n${k}\n`
}
