import { parseFilter } from '@shared/row-filter/parse-filter'
import { contenderKey } from '@shared/benchmark/suite'
import { comparisonDocument } from '@shared/benchmark/testing/document'
import { defaultGeneratorSpec } from '@shared/generator'
import { describe, expect, it } from 'vitest'
import { engineReports } from '../../../test/fixtures'
import { contenderOf, matrixColumns, matrixRows, offeredKeys, picked, toggled } from './contenders'
import { draftCase, draftOfSuite, emptyDraft, nameInTables, suiteOf } from './draft'
import { setupErrors } from './draft-errors'
import { parseKList } from './k-list'

describe('values of k as typed', () => {
  it.each([
    ['5, 10, 20', [5, 10, 20]],
    ['20;5 10', [5, 10, 20]],
    ['3-5, 4', [3, 4, 5]],
    ['1e2', [100]],
  ])('reads ‘%s’', (text, k) => expect(parseKList(text)).toEqual({ k }))

  it.each(['', 'five', '0', '2.5', '-3', '9-5', '1-1000000'])('refuses ‘%s’ in a sentence', (text) => {
    expect(parseKList(text)).toEqual({ error: expect.stringMatching(/[.]$/) as string })
  })
})

describe('the draft of a comparison', () => {
  it('makes the suite again that it was made from', () => {
    const { suite } = comparisonDocument()
    expect(suiteOf(draftOfSuite(suite))).toEqual(suite)
    const own = { ...suite.config, columnScalings: [{ column: 'a', scaling: 'robust' }] } as const
    expect(suiteOf(draftOfSuite({ ...suite, config: own })).config).toEqual(own)
  })

  it('says beside published times what was changed of their settings', () => {
    const { suite } = comparisonDocument()
    const changed = suiteOf({ ...draftOfSuite(suite), stop: 'labels', maxIterations: '7' })
    const sentence = 'Changed here: stop rule, iterations.'
    expect(changed.publication?.note.startsWith(sentence)).toBe(true)
    expect(changed.description.endsWith(sentence)).toBe(true)
    expect(changed.publication?.times).toEqual(suite.publication?.times)
  })

  it('has a limit of each cell where one is given, of seconds above 0', () => {
    const { suite } = comparisonDocument()
    const draft = draftOfSuite({ ...suite, maxCellSeconds: 600 })
    expect(draft.maxCellSeconds).toBe('600')
    expect(suiteOf(draft).maxCellSeconds).toBe(600)
    expect(suiteOf({ ...draft, maxCellSeconds: ' ' })).toEqual(suite)
    for (const typed of ['0', '-3', 'long', '1e9']) {
      expect(setupErrors({ ...draft, maxCellSeconds: typed }).fields.maxCellSeconds).toMatch(
        /^The limit of a cell is ‘.*’; give seconds above 0, at most 1.000.000, or nothing\.$/,
      )
    }
    expect(setupErrors({ ...draft, maxCellSeconds: '0.5' }).fields.maxCellSeconds).toBeUndefined()
  })

  it('has a number of workers where a contender has them', () => {
    const { suite } = comparisonDocument()
    const draft = { ...draftOfSuite(suite), contenders: ['webgpu/partial-sums'], workers: '7' }
    const seven = suiteOf(draft)
    expect(seven.config.workers).toBe(7)
    expect(suiteOf(draftOfSuite(seven)).config).toEqual(seven.config)
    expect(seven.description).toContain('number of workers')
    expect(suiteOf({ ...draft, workers: '' }).config).not.toHaveProperty('workers')
    expect(suiteOf({ ...draft, contenders: ['cpu/fused'] }).config).not.toHaveProperty('workers')
    const wrong = { ...draft, workers: '65537' }
    expect(setupErrors(wrong).fields.workers).toMatch(/is ‘65537’; give a whole number of 1 to 65.536\.$/)
    expect(setupErrors({ ...wrong, contenders: ['cpu/fused'] }).fields.workers).toBeUndefined()
  })

  it('works in float64 where every contender can, and says which cannot', () => {
    const { suite } = comparisonDocument()
    const contenders = ['cpu/sequential', 'cpu/eigen', 'outside/numpy']
    const draft = { ...draftOfSuite(suite), contenders, precision: 'float64' } as const
    const fine = suiteOf(draft)
    expect(fine.config.precision).toBe('float64')
    expect(fine.description).toContain('Changed here: precision')
    expect(suiteOf(draftOfSuite(fine)).config).toEqual(fine.config)
    expect(setupErrors(draft).fields.precision).toBeUndefined()
    const mixed = { ...draft, contenders: [...contenders, 'cuda:0/thrust'] }
    expect(setupErrors(mixed).fields.precision).toBe(
      'cuda:0/thrust works in float32 only; choose float32, or take it out of the comparison.',
    )
    const coarse = { ...draft, contenders: ['cpu/fused'] }
    expect(suiteOf(coarse).config).not.toHaveProperty('precision')
    expect(setupErrors(coarse).fields.precision).toBeUndefined()
  })

  it('names what is wrong and where', () => {
    const draft = { ...emptyDraft(), k: '200', contenders: ['cpu/fused'], repeats: '0' }
    const iris = draftCase({ kind: 'loaded', datasetId: 'd', name: 'iris.csv' }, 150)
    draft.cases = [iris]
    const { fields, cases } = setupErrors(draft)
    expect(cases.get(iris.id)).toBe('k = 200 is more than the 150 rows of iris.csv; give 150 or less.')
    expect(Object.keys(fields)).toEqual(['repeats'])
    iris.k = '3, 5'
    expect(setupErrors(draft).cases.size).toBe(0)
  })

  it('takes the rows, the columns and their scalings for the loaded file alone', () => {
    const loaded = {
      features: ['petal_length'],
      columnScalings: [{ column: 'petal_length', scaling: 'robust' }],
      filter: parseFilter('species != setosa'),
      oneHot: ['species'],
    } as const
    const draft = { ...emptyDraft(), contenders: ['cpu/fused'], loaded }
    const iris = draftCase({ kind: 'loaded', datasetId: 'd', name: 'iris.csv' }, 150)
    const made = draftCase({ kind: 'generated', spec: defaultGeneratorSpec, name: 'made' })
    const featuresOf = (cases: (typeof iris)[]) => suiteOf({ ...draft, cases }).config.features
    expect(featuresOf([iris])).toEqual(['petal_length'])
    expect(featuresOf([iris, made])).toBeNull()
    expect(featuresOf([made])).toBeNull()
    expect(suiteOf({ ...draft, cases: [iris] }).config).toMatchObject(loaded)
    for (const key of ['columnScalings', 'filter', 'oneHot'] as const) {
      expect(suiteOf({ ...draft, cases: [iris, made] }).config).not.toHaveProperty(key)
    }
    const byRow = suiteOf({ ...draft, scaling: 'unit-length', cases: [iris] }).config
    expect(byRow).not.toHaveProperty('columnScalings')
  })

  it('never gives two datasets one name, nor a baseline that does not take part', () => {
    expect(nameInTables(defaultGeneratorSpec, ['uniform-2048x2'])).toBe('uniform-2048x2 (2)')
    const draft = { ...emptyDraft(), contenders: ['cpu/fused', 'cpu/tbb'], baseline: 'cpu/sequential' }
    expect(suiteOf(draft).baseline).toBe('cpu/fused')
  })
})

describe('the matrix of contenders', () => {
  it('has keys that stand for themselves', () => {
    for (const key of ['cpu/fused', 'cuda:1/sort-reduce', 'outside/scikit-learn'])
      expect(contenderKey(contenderOf(key))).toBe(key)
  })

  it('picks only what an engine of this machine offers, and keeps its order', () => {
    const rows = matrixRows(engineReports)
    const offered = offeredKeys(matrixColumns(engineReports), rows)
    const missing = engineReports.filter(({ available }) => !available).map(({ id }) => id)
    expect(missing.length).toBeGreaterThan(0)
    for (const key of picked('all', offered, rows, matrixColumns(engineReports)))
      expect(missing).not.toContain(key.split('/')[0])
    const columns = matrixColumns(engineReports)
    const software = 'webgpu/fused'
    expect(columns.find(({ device }) => device === 'webgpu')?.software).toBe(true)
    expect(picked('usual', [software, 'cpu/fused'], rows, columns)).toEqual(['cpu/fused'])
    expect(picked('engines', [software, 'cpu/fused'], rows, columns)).toEqual([software])
    const [first = '', second = ''] = offered
    expect(toggled(toggled([], second, offered), first, offered)).toEqual([first, second])
    expect(toggled([first, second], first, offered)).toEqual([second])
  })
})
