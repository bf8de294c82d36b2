/** The curves of a scan: each index that was asked for, as far as it is known. */
import type { ScanIndex, ScannedK, ScanRecord, ScanRestart } from '@shared/scan'
import { t } from '@/i18n'
import { indexWords } from '@/text/scan-words'
import type { CurvePoint, IndexCurve } from './index-curve'

/** What the curves are made of; `pending`: restarts of a k that is not finished. */
export interface ScanSoFar extends Pick<ScanRecord, 'config' | 'rows' | 'suggestions'> {
  readonly pending: readonly ScanRestart[]
}

type OfRestart = (restart: ScanRestart) => number | null

const known = (values: readonly (number | null)[]): readonly number[] =>
  values.filter((value) => value !== null)

/** A point for every finished k, and one without a best for that under way. */
function pointsOf({ rows, pending }: ScanSoFar, of: OfRestart): readonly CurvePoint[] {
  const finished = rows.map(({ k, restarts, best }): CurvePoint => {
    const leading = restarts[best]
    return { k, best: leading ? of(leading) : null, restarts: known(restarts.map(of)), error: null }
  })
  const done = new Set(rows.map(({ k }) => k))
  const open = pending.filter(({ k }) => !done.has(k))
  const ks = [...new Set(open.map(({ k }) => k))]
  const underWay = ks.map((k): CurvePoint => {
    const own = open.filter((restart) => restart.k === k)
    return { k, best: null, restarts: known(own.map(of)), error: null }
  })
  return [...finished, ...underWay].sort((a, b) => a.k - b.k)
}

/** Of the best restart alone. */
function ofBest({ rows }: ScanSoFar, of: (row: ScannedK) => readonly [number | null, number | null]) {
  return rows.map((row): CurvePoint => {
    const [best, error] = of(row)
    return { k: row.k, best, restarts: [], error }
  })
}

const mark = (k: number | null, word: string, below = false) => (k === null ? null : { k, word, below })

function curveOf(index: ScanIndex, scan: ScanSoFar): IndexCurve {
  const { kMin, kMax } = scan.config
  const { suggestions } = scan
  const shared = { name: index, title: indexWords[index], fromZero: false, kMin, kMax }
  switch (index) {
    case 'silhouette':
      return {
        ...shared,
        reading: t('scan.largerIsBetter'),
        points: ofBest(scan, ({ silhouette }) => [
          silhouette?.mean ?? null,
          silhouette?.standardError ?? null,
        ]),
        mark: mark(suggestions.silhouette, t('scan.largest')),
      }
    case 'calinski-harabasz':
      return {
        ...shared,
        reading: t('scan.largerIsBetter'),
        points: pointsOf(scan, ({ calinskiHarabasz }) => calinskiHarabasz),
        mark: mark(suggestions.calinskiHarabasz, t('scan.largest')),
      }
    case 'davies-bouldin':
      return {
        ...shared,
        reading: t('scan.smallerIsBetter'),
        points: pointsOf(scan, ({ daviesBouldin }) => daviesBouldin),
        mark: mark(suggestions.daviesBouldin, t('scan.smallest'), true),
      }
    case 'gap':
      return {
        ...shared,
        reading: t('scan.theFirstKWithinOneStandard'),
        points: ofBest(scan, ({ gap }) => [gap?.gap ?? null, gap?.standardError ?? null]),
        mark: mark(suggestions.gap, t('scan.rule')),
      }
  }
}

/** Inertia first, then the others in a fixed order. */
export function scanCurves(scan: ScanSoFar): readonly IndexCurve[] {
  const { kMin, kMax, indices } = scan.config
  const inertia: IndexCurve = {
    ...{
      name: 'inertia',
      title: t('scan.inertia'),
      reading: t('scan.fallsWithKLookForA'),
      fromZero: true,
      kMin,
      kMax,
    },
    points: pointsOf(scan, ({ inertia: value }) => value),
    mark: mark(scan.suggestions.knee, t('scan.knee')),
  }
  const order = ['silhouette', 'calinski-harabasz', 'davies-bouldin', 'gap'] as const
  return [inertia, ...order.filter((index) => indices.includes(index)).map((index) => curveOf(index, scan))]
}
