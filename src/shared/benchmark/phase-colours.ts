/** Phases of a run, in their order, as stacked bars show them; `other` is what no phase covers. */
export const phaseColours = {
  load: '#b9c0c8',
  upload: '#56b4e9',
  init: '#cc79a7',
  assign: '#0072b2',
  update: '#e69f00',
  converge: '#d55e00',
  iterate: '#009e73',
  download: '#7b5ab6',
  other: '#808080',
} as const satisfies Readonly<Record<string, string>>
