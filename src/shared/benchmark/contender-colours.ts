/**
 * Okabe and Ito's palette for colour-blind readers, in the order of the window's cluster colours; yellow, too pale for
 * a line on white, is left out, and four more follow.
 */
export const contenderColours = [
  '#0072b2',
  '#e69f00',
  '#009e73',
  '#d55e00',
  '#56b4e9',
  '#cc79a7',
  '#808080',
  '#7b5ab6',
  '#a6761d',
  '#1b7837',
  '#b2182b',
  '#b8a800',
] as const

/** The colour of the contender at a place in the suite; the same in window, report and workbook. */
export function contenderColour(at: number): string {
  return contenderColours[at % contenderColours.length]
}
