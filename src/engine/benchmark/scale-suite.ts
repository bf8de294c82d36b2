import type { Publication, Suite, SuiteCase } from '@shared/benchmark/suite'
import { invalidArgument, LabError } from '@shared/errors'

/**
 * A suite with `scale` times the points of its generated data, never fewer than clusters; where that makes more of them
 * than the scale would, the name says so. Names keep the full size in them, so that they stay distinct where sizes do not; published figures stay and are said to be for the full size.
 * @throws LabError `input` for a scale that is not a number above 0, and for data that are measured and not made
 */
export function scaleSuite(suite: Suite, scale: number): Suite {
  if (!(Number.isFinite(scale) && scale > 0)) throw invalidArgument('a number above 0', 'the scale', scale)
  if (scale === 1) return suite
  const cases = suite.cases.map((one) => scaledCase(one, scale))
  const names = new Map(suite.cases.map(({ dataset }, at) => [dataset.name, cases[at]?.dataset.name]))
  const { publication } = suite
  return {
    ...suite,
    description: `${suite.description} ${scaleSentences(publication, scale)}`.trimStart(),
    scale: suite.scale * scale,
    cases,
    publication: publication && {
      ...publication,
      times: publication.times.map((time) => ({ ...time, dataset: names.get(time.dataset) ?? time.dataset })),
    },
  }
}

function scaledCase({ dataset, k }: SuiteCase, scale: number): SuiteCase {
  if (dataset.kind !== 'generated') throw notGenerated(dataset.name)
  const wanted = Math.round(dataset.spec.n * scale)
  const most = Math.max(...k)
  const raised = most > wanted ? `, at least ${most} for k = ${most}` : ''
  const name = `${dataset.name}, scale ${scale}${raised}`
  return { dataset: { ...dataset, spec: { ...dataset.spec, n: Math.max(wanted, most) }, name }, k }
}

function notGenerated(name: string): LabError {
  const message = `A scale is for generated data, and ${name} is a file: leave the scale out, or name a preset.`
  return new LabError('input', 'argument.scale', message)
}

function scaleSentences(publication: Publication | null, scale: number): string {
  const here = `Here with ${scale} times the points.`
  const hasFigures = publication !== null && publication.times.length + publication.ratios.length > 0
  if (!hasFigures) return here
  return [here, 'Published figures are shown all the same: they are for the full size.'].join(' ')
}
