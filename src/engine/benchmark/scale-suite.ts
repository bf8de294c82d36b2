import type { Publication, Suite, SuiteCase } from '@shared/benchmark/suite'
import { invalidArgument } from '@shared/errors'

/**
 * A suite with `scale` times the points of its generated data, never fewer than clusters. Names keep the full size in
 * them, so that they stay distinct where sizes do not; published figures stay and are said to be for the full size.
 * @throws LabError `input` for a scale that is not a number above 0, and for data that are measured and not made
 */
export function scaleSuite(suite: Suite, scale: number): Suite {
  if (!(Number.isFinite(scale) && scale > 0)) throw invalidArgument('a number above 0', 'the scale', scale)
  if (scale === 1) return suite
  const nameOf = (name: string) => `${name} x ${scale}`
  const { publication } = suite
  return {
    ...suite,
    description: `${suite.description} ${scaleSentences(publication, scale)}`.trimStart(),
    cases: suite.cases.map((one) => scaledCase(one, scale, nameOf)),
    publication: publication && {
      ...publication,
      times: publication.times.map((time) => ({ ...time, dataset: nameOf(time.dataset) })),
    },
  }
}

function scaledCase({ dataset, k }: SuiteCase, scale: number, nameOf: (name: string) => string): SuiteCase {
  if (dataset.kind !== 'generated') throw invalidArgument('generated data', 'the scale', dataset.name)
  const n = Math.max(Math.round(dataset.spec.n * scale), ...k)
  return { dataset: { ...dataset, spec: { ...dataset.spec, n }, name: nameOf(dataset.name) }, k }
}

function scaleSentences(publication: Publication | null, scale: number): string {
  const here = `Here with ${scale} times the points.`
  const hasTimes = publication !== null && publication.times.length > 0
  return hasTimes ? `${here} Published figures are shown all the same: they are for the full size.` : here
}
