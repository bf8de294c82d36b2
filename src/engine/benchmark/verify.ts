import { approximateSentence, isApproximate } from '@shared/approximate'
import type { Coordinates } from '../engines/engine'
import type { Verification } from '@shared/benchmark/document'
import type { Case, ContenderRunner, WholeRun } from './contender-runner'
import {
  labelUnits,
  largestMeanError,
  maxMeanError,
  sameNumbers,
  type Centroids,
  type MemberSums,
  type Sample,
} from './exactness'
import { inPrecisionOf } from '../dataset/coordinates'
import { verifierOf } from './choose-verifier'
import { isCut } from './scale-run'
import type { Verifier } from './verifier'
import { rankReferences, runReference, type Reference, type ReferenceRun } from './reference-run'
import type { BenchmarkDependencies } from './dependencies'

/** What one look at a contender gave. */
interface Finding {
  /** One sentence; null when nothing is wrong. */
  readonly wrong: string | null
  readonly labelsChecked: number
}

const nothingWrong: Finding = { wrong: null, labelsChecked: 0 }

/** What is known of certain centroids. */
interface Known {
  readonly centroids: Centroids
  readonly sample: Sample
  /** (n) of float64 or of the reference, which is exact; null where there is neither, or it broke. */
  readonly labels: Int32Array | null
}

/**
 * "No agreement, no speed-up": looks at one step from the shared start and at one from the end of a run, against
 * float64 distances (of a sample of the points, and of all whose label is not the reference's) and means, and
 * compares whole runs with the reference. A whole run may part from the reference
 * at an open point, so that is reported and not refused; a step that is not exact is refused.
 */
export class Referee {
  readonly #of: Case
  readonly #verifier: Verifier
  readonly #ranges: Float64Array
  readonly #reference: Reference | null
  readonly #referenceRun: ReferenceRun | null
  /** Contenders mostly begin and end at the same centroids: what was computed for them holds for the next. */
  readonly #known: Known[] = []

  private constructor(
    of: Case,
    verifier: Verifier,
    ranges: Float64Array,
    reference: Reference | null,
    referenceRun: ReferenceRun | null,
  ) {
    this.#of = of
    this.#verifier = verifier
    this.#ranges = ranges
    this.#reference = reference
    this.#referenceRun = referenceRun
  }

  /** Makes the reference run, where one is affordable. @throws LabError `cancelled` */
  static async open(of: Case, dependencies: BenchmarkDependencies, signal: AbortSignal): Promise<Referee> {
    const verifier = verifierOf(of.data.points)
    const ranges = await verifier.ranges(signal)
    const references = await rankReferences(of, dependencies, signal)
    for (const reference of references.filter(({ isAffordable }) => isAffordable)) {
      const run = await orNull(runReference(reference, signal), signal)
      if (run !== null) return new Referee(of, verifier, ranges, reference, run)
    }
    return new Referee(of, verifier, ranges, references[0] ?? null, null)
  }

  /** Never throws. */
  close(): void {
    this.#verifier.close()
  }

  /** Before any run: one step from the shared start. */
  async checkStart(contenderRunner: ContenderRunner, signal: AbortSignal): Promise<Finding> {
    if (isApproximateCell(contenderRunner)) return nothingWrong
    return this.#checkStep(contenderRunner, this.#of.start, 'from the shared start', signal)
  }

  /** After a run: its labels, one step from where it ended, and how far it is from the reference. */
  async checkEnd(
    contenderRunner: ContenderRunner,
    run: WholeRun,
    start: Finding,
    signal: AbortSignal,
  ): Promise<Verification> {
    const end = await this.#checkResult(contenderRunner, run, signal)
    const inPlay = inPrecisionOf(this.#of.start, withoutDropped(run.centroids, this.#of.data.points.d))
    const approximate = isApproximateCell(contenderRunner)
    const step =
      end.wrong === null && inPlay.length > 0 && !approximate
        ? await this.#checkStep(contenderRunner, inPlay, 'from the centroids at its end', signal)
        : nothingWrong
    const reason = start.wrong ?? end.wrong ?? (approximate ? approximateSentence() : step.wrong)
    const labelsChecked = start.labelsChecked + end.labelsChecked
    const compared = await this.#compare(run, isCut(contenderRunner.cell, run, this.#of.config), signal)
    return { agrees: reason === null, reason, labelsChecked, ...compared }
  }

  async #checkResult(contenderRunner: ContenderRunner, run: WholeRun, signal: AbortSignal): Promise<Finding> {
    const { points } = this.#of.data
    const { k, config, start } = this.#of
    const { labels, centroids } = run
    if (run.start !== null && !sameNumbers(run.start, start)) {
      return { wrong: 'It started from different centroids.', labelsChecked: 0 }
    }
    if (labels.length !== points.n || centroids.length !== k * points.d) {
      return { wrong: 'Its result has another number of labels or centroids.', labelsChecked: 0 }
    }
    if (config.empty !== 'drop' && !centroids.every(Number.isFinite)) {
      return { wrong: 'A centroid at its end is not a number.', labelsChecked: 0 }
    }
    return this.#checkLabels(labels, centroids, contenderRunner, 'at its end', signal)
  }

  async #checkStep(
    contenderRunner: ContenderRunner,
    centroids: Coordinates,
    where: string,
    signal: AbortSignal,
  ): Promise<Finding> {
    const { points } = this.#of.data
    const step = await contenderRunner.step(centroids, signal)
    const finding =
      step.labels === null
        ? nothingWrong
        : await this.#checkLabels(step.labels, centroids, contenderRunner, where, signal)
    if (finding.wrong !== null) return finding
    const labels = step.labels ?? (await this.#knownOf(centroids, signal)).labels
    if (labels === null) return { ...finding, wrong: `Nothing is here to check its means against, ${where}.` }
    const sums = await this.#verifier.memberSums(labels, centroids.length / points.d, signal)
    const error = largestMeanError(sums, centroids, step.centroids, this.#ranges)
    if (error <= maxMeanError) return finding
    const excused = step.labels === null && (await this.#isOpen(sums, centroids, step.centroids, signal))
    return { ...finding, wrong: excused ? null : wrongMeans(error, where) }
  }

  async #checkLabels(
    labels: Int32Array,
    centroids: Centroids,
    { labelUnit }: ContenderRunner,
    where: string,
    signal: AbortSignal,
  ): Promise<Finding> {
    const { points } = this.#of.data
    if (labels.length !== points.n) return { wrong: 'It gave another number of labels.', labelsChecked: 0 }
    const known = await this.#knownOf(centroids, signal)
    const { sample } = known
    const labelsChecked = sample.nearest.length
    const inexact = await this.#verifier.inexactLabels(centroids, sample, labels, labelUnit, signal)
    if (inexact > 0) return { wrong: wrongLabels(inexact, labelsChecked, where), labelsChecked }
    // Where all were looked at, nothing is left to be said.
    const farther =
      known.labels === null || sample.rows === null
        ? 0
        : await this.#verifier.fartherLabels(centroids, labels, known.labels, labelUnit, signal)
    return { wrong: farther === 0 ? null : wrongLabels(farther, points.n, where), labelsChecked }
  }

  /** Where labels are the reference's, a mean may differ by the points that could as well lie in two clusters. */
  async #isOpen(
    sums: MemberSums,
    centroids: Coordinates,
    found: Centroids,
    signal: AbortSignal,
  ): Promise<boolean> {
    const open = await this.#verifier.openMembers(centroids, labelUnits.cpu, signal)
    return largestMeanError(sums, centroids, found, this.#ranges, open) <= maxMeanError
  }

  async #knownOf(centroids: Centroids, signal: AbortSignal): Promise<Known> {
    const found = this.#known.find((one) => sameNumbers(one.centroids, centroids))
    if (found !== undefined) return found
    const sample = await this.#verifier.sample(centroids, signal)
    const labels = sample.rows === null ? sample.labels : await this.#labelsAt(centroids, signal)
    const known = { centroids, sample, labels }
    // The shared start and the newest end.
    if (this.#known.length > 1) this.#known.pop()
    this.#known.push(known)
    return known
  }

  /** Of the reference; null where there is none, or where clusters were dropped. */
  async #labelsAt(centroids: Centroids, signal: AbortSignal): Promise<Int32Array | null> {
    if (this.#reference === null || !centroids.every(Number.isFinite)) return null
    return orNull(
      this.#reference.contenderRunner.label(inPrecisionOf(this.#of.start, centroids), signal),
      signal,
    )
  }

  /** @param cut it made fewer iterations than the reference, so that its result is another one */
  async #compare(run: WholeRun, cut: boolean, signal: AbortSignal) {
    const { points } = this.#of.data
    const reference = this.#referenceRun
    if (reference === null) {
      return { reference: null, labelAgreement: null, centroidDifference: null, referenceIterations: null }
    }
    const made = { reference: reference.name, referenceIterations: reference.iterations }
    if (cut) return { ...made, labelAgreement: null, centroidDifference: null }
    return {
      ...made,
      labelAgreement: (await this.#verifier.sameLabels(run.labels, reference.labels, signal)) / points.n,
      centroidDifference: largestDifference(run.centroids, reference.centroids, this.#ranges),
    }
  }
}

/** A reference that breaks is no fault of the contenders: another is asked. */
async function orNull<T>(promise: Promise<T>, signal: AbortSignal): Promise<T | null> {
  try {
    return await promise
  } catch (error) {
    if (signal.aborted) throw error
    return null
  }
}

/** Its labels are checked against its own centroids; its steps are nobody's else. */
function isApproximateCell({ cell }: ContenderRunner): boolean {
  return cell.engine !== null && isApproximate(cell.variant)
}

function wrongLabels(wrong: number, of: number, where: string): string {
  return wrong === 1
    ? `1 label of ${of} is not that of the nearest centroid, ${where}.`
    : `${wrong} labels of ${of} are not those of the nearest centroid, ${where}.`
}

function wrongMeans(error: number, where: string): string {
  const size = Number.isFinite(error)
    ? `off by ${error.toPrecision(2)} of its feature's range`
    : 'no mean at all'
  return `A centroid is ${size} after an update ${where}.`
}

/** Rows of the clusters that are still in play. */
function withoutDropped(centroids: Centroids, d: number): number[] {
  const k = centroids.length / d
  const kept = Array.from({ length: k }, (_, c) => centroids.subarray(c * d, (c + 1) * d))
  return kept.filter((row) => row.every(Number.isFinite)).flatMap((row) => [...row])
}

/** In ranges of the feature; clusters that only one of the two dropped count as a whole range. */
function largestDifference(a: Centroids, b: Centroids, ranges: Float64Array): number {
  let worst = 0
  for (let at = 0; at < b.length; at++) {
    const range = ranges[at % ranges.length] || 1
    const bothDropped = Number.isNaN(a[at]) && Number.isNaN(b[at])
    const difference = bothDropped ? 0 : Math.abs(a[at] - b[at]) / range
    worst = Math.max(worst, Number.isNaN(difference) ? 1 : difference)
  }
  return worst
}
