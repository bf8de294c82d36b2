import { describe, expect, it } from 'vitest'
import { defaultRunConfig } from '@shared/run-config'
import { scanConfig, scannedK, scanRecord } from '../../test/quality'
import { newScanDraft, scanConfigOf, scanErrors } from './scan-draft'
import { scanAsText } from './scan-table'
import { agreementSentence, rangeWords, silhouetteWords, suggestionsInWords } from './scan-words'

describe('what a scan is asked for', () => {
  it('is what was typed', () => {
    const draft = { ...newScanDraft(), kMin: '3', kMax: '1e1', exact: true }
    expect(scanConfigOf(draft, defaultRunConfig)).toMatchObject({
      ...{ kMin: 3, kMax: 10, restarts: 10, silhouette: 'exact' },
      indices: ['silhouette', 'calinski-harabasz', 'davies-bouldin'],
    })
    expect(scanErrors(draft, 150)).toEqual({})
  })

  it('is refused field by field, in a sentence', () => {
    const wrong = (change: object, rows = 150) => scanErrors({ ...newScanDraft(), ...change }, rows)
    expect(wrong({ kMin: 'x' })).toEqual({ kMin: 'The smallest k must be a whole number.' })
    expect(wrong({ kMin: '0' })).toEqual({ kMin: 'The smallest k must be at least 1.' })
    expect(wrong({ kMax: '8' }, 5)).toEqual({ kMax: 'The largest k must be at most 5: there are 5 rows.' })
    expect(wrong({ kMin: '9', kMax: '4' })).toEqual({
      kMax: 'The largest k must be at least 9, the smallest.',
    })
    expect(wrong({ restarts: '0' }).restarts).toContain('at least 1')
  })
})

describe('what a scan says', () => {
  it('names every rule beside the others', () => {
    expect(suggestionsInWords(scanRecord())).toEqual([
      { rule: 'Inertia', k: 3, says: 'knee at k = 3' },
      { rule: 'Silhouette', k: 2, says: 'largest at k = 2 (0.5000)' },
      { rule: 'Calinski–Harabasz', k: 4, says: 'largest at k = 4 (17.54)' },
      { rule: 'Davies–Bouldin', k: 4, says: 'smallest at k = 4 (0.5700)' },
    ])
  })

  it('says where a rule finds none, and why', () => {
    const none = { knee: null, silhouette: null, calinskiHarabasz: null, daviesBouldin: null, gap: null }
    const says = (change: object) =>
      suggestionsInWords(scanRecord({ suggestions: none, ...change })).map((one) => one.says)
    const gap = scannedK(2, 9, { gap: { gap: 1, standardError: 0.1 } })
    const config = scanConfig({ indices: ['gap'] })
    expect(says({ config })).toEqual(['falls without a knee', 'not known for these k'])
    expect(says({ config, rows: [gap] })).toEqual([
      'needs three values of k',
      'no k in the range meets the rule',
    ])
  })

  it('never makes one verdict of rules that differ', () => {
    const said = (...ks: (number | null)[]) => agreementSentence(ks.map((k) => ({ rule: 'x', k, says: '' })))
    expect(said(3, null, 3)).toBe('All 2 rules that name a k agree on k = 3.')
    expect(said(4, 2, 4)).toBe(
      'The rules name 2 and 4 (2 of 3 rules): each asks something else. Look at what the clusters are with each.',
    )
    expect(said(null, 5)).toBe('One rule names a k: 5.')
    expect(said(null)).toBe('')
  })

  it('says whether a silhouette is exact or of a sample', () => {
    expect(silhouetteWords(scannedK(2, 9))).toBe('over every pair of 150 rows')
    const sampled = { mean: 0.5, standardError: 0.0123, points: 20_000 }
    expect(silhouetteWords(scannedK(2, 9, { silhouette: sampled }))).toBe(
      'of a sample of 20\u202f000 rows, standard error 0.01230',
    )
    expect(rangeWords(scanConfig())).toBe('k = 2 to 4, 2 restarts each')
  })

  it('goes to a spreadsheet in full, a row for each k', () => {
    const [head, first] = scanAsText(scanRecord()).split('\n')
    expect(head?.split('\t').slice(0, 5)).toEqual(['k', 'restarts', 'inertia', 'worst inertia', 'silhouette'])
    expect(first?.split('\t').slice(0, 6)).toEqual(['2', '2', '152', String(152 * 1.1), '0.5', ''])
  })
})
