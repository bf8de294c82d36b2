/** All plots of a comparison as pictures, for the workbook and the report. */
import type { BenchmarkDocument } from '@shared/benchmark/document'
import { ratioPlots } from '@shared/benchmark/ratio-plot'
import type { Speedup } from '@shared/benchmark/speedups'
import type { PlotFormat, TitledPlot } from '@shared/plot-image'
import { imageOf } from '../figure/plot-image'
import { lightBenchmarkTheme } from './benchmark-theme'
import { groupsOf, type Group } from './groups'
import { iterationsPlot } from './iterations-plot'
import { phasesPlot } from './phases-plot'
import { fileFigure, fileWidth, type BenchmarkPlot } from './plot'
import { ratiosName, ratiosPlot } from './ratios-plot'
import { scalingPlot, sweepName } from './scaling-plot'
import { speedupsPlot } from './speedups-plot'
import type { Sweep } from './statistics'
import { speedupsFor, sweepsFor } from './statistics-worker'
import { timesPlot } from './times-plot'

type Make = () => BenchmarkPlot | null

const ofGroup = (document: BenchmarkDocument, group: Group): readonly Make[] => [
  () => timesPlot(document, group),
  () => phasesPlot(document, group, { measure: 'time', load: false }),
  () => iterationsPlot(document, group, true),
]

function makers(
  document: BenchmarkDocument,
  baseline: string,
  speedups: readonly Speedup[],
  sweeps: readonly Sweep[],
): readonly Make[] {
  const ratios = ratioPlots(document)
  return [
    () => speedupsPlot(document, speedups, baseline),
    ...sweeps.map((sweep) => () => scalingPlot(document, sweep, sweepName(sweep, sweeps))),
    ...ratios.map((plot, at) => () => ratiosPlot(document, plot, ratiosName(at, ratios))),
    ...groupsOf(document).flatMap((group) => ofGroup(document, group)),
  ]
}

/** Plots of equal names, such as those of two datasets alike but for a letter, get a number. */
function unlike(name: string, taken: Set<string>): string {
  let own = name
  for (let at = 2; taken.has(own); at++) own = `${name}-${at}`
  taken.add(own)
  return own
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))

/**
 * Every plot that applies, on white whatever the theme: speed-ups, sweeps, ratios of a study, then times, phases and
 * iterations of each dataset and k. One after the other, so that the window stays free in between. Rejects with a LabError.
 */
export async function benchmarkFigures(
  document: BenchmarkDocument,
  baseline: string,
  format: PlotFormat = 'png',
): Promise<readonly TitledPlot[]> {
  const [speedups, sweeps] = [await speedupsFor(document, baseline), await sweepsFor(document)]
  const theme = lightBenchmarkTheme(window.document.body)
  const taken = new Set<string>()
  const images: TitledPlot[] = []
  for (const make of makers(document, baseline, speedups, sweeps)) {
    await nextTurn()
    const plot = make()
    if (!plot) continue
    const image = await imageOf(unlike(plot.name, taken), fileFigure(plot, fileWidth, theme), format)
    images.push({ ...image, title: plot.title })
  }
  return images
}
