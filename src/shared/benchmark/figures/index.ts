import type { BenchmarkDocument } from '../document'
import { phasesFigures } from './phases-figure'
import { ratioFigures } from './ratio-figure'
import { scalingFigures } from './scaling-figure'
import type { SvgFigure } from './svg'
import { speedupFigures, timesFigures } from './times-figure'

export type { DotGroup } from './dot-plot'
export { phaseGroups, type PhaseGroup } from './phases-figure'
export { workloadText } from './workloads'
export { frontier, sizeNames } from './scaling-figure'
export { speedupGroups, timesGroups } from './times-figure'
export type { SvgFigure } from './svg'

/** The plots of a comparison where there is no window to draw them, by the table that they belong to. */
export interface BenchmarkFigures {
  readonly times: readonly SvgFigure[]
  readonly speedups: readonly SvgFigure[]
  readonly scaling: readonly SvgFigure[]
  /** Of a study that prints ratios: against the words transferred. */
  readonly ratios: readonly SvgFigure[]
  readonly phases: readonly SvgFigure[]
}

export function figuresOf(document: BenchmarkDocument, baseline: string): BenchmarkFigures {
  return {
    times: timesFigures(document),
    speedups: speedupFigures(document, baseline),
    scaling: scalingFigures(document),
    ratios: ratioFigures(document),
    phases: phasesFigures(document),
  }
}
