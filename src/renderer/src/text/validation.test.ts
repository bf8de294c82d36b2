import { describe, expect, it } from 'vitest'
import { column, irisColumns } from '../../test/fixtures'
import {
  configOf,
  draftOf,
  proposedFeatures,
  recordChoices,
  usableColumns,
  validateDraft,
} from './validation'
import { parseNumber } from './numbers'
import { recordHint, toleranceUnits } from './words'

const draft = { ...draftOf({}), features: ['a'] }

describe('what is wrong with settings', () => {
  it('finds nothing wrong with the defaults', () => {
    expect(validateDraft(draft, 150)).toEqual({})
  })

  it.each([
    ['', 'k is empty; give a whole number of 1 or more.'],
    ['0', 'k is 0; give 1 or more.'],
    ['-2', 'k is -2; give 1 or more.'],
    ['2.5', 'k is ‘2.5’, which is not a whole number; give 1 or more.'],
    ['many', 'k is ‘many’, which is not a whole number; give 1 or more.'],
    ['151', 'k is 151, but the data has 150 rows; give 150 or less.'],
  ])('says what is wrong with k = "%s"', (k, sentence) => {
    expect(validateDraft({ ...draft, k }, 150).k).toBe(sentence)
  })

  it('takes k = N and large numbers with spaces', () => {
    expect(validateDraft({ ...draft, k: '1 204' }, 1204)).toEqual({})
  })

  it('wants a tolerance of 0 or more, and a share under the rule labels', () => {
    expect(validateDraft({ ...draft, tolerance: '-1' }, 9).tolerance).toContain('negative')
    expect(validateDraft({ ...draft, tolerance: 'x' }, 9).tolerance).toContain('not a number')
    expect(validateDraft({ ...draft, tolerance: '2', stop: 'labels' }, 9).tolerance).toContain('share')
    expect(validateDraft({ ...draft, tolerance: 'x', stop: 'none' }, 9).tolerance).toBeUndefined()
  })

  it('wants a feature and, for that initialisation, a centroid file', () => {
    expect(validateDraft({ ...draft, features: [] }, 9).features).toContain('tick at least one column')
    expect(validateDraft({ ...draft, init: 'file' }, 9).centroids).toContain('No centroid file')
  })

  it('bounds seed, restarts and iteration limit', () => {
    const errors = validateDraft({ ...draft, seed: '9007199254740992', nInit: '0', maxIterations: '' }, 9)
    expect(Object.keys(errors).sort()).toEqual(['maxIterations', 'nInit', 'seed'])
  })
})

it('bounds the workers of the variant that has them, and asks nobody else', () => {
  const errorsOf = (workers: string, variant = 'partial-sums') =>
    validateDraft({ ...draft, variant, workers }, 9).workers
  expect(errorsOf('')).toBeUndefined()
  expect(errorsOf('7')).toBeUndefined()
  expect(errorsOf('65 536')).toBeUndefined()
  expect(errorsOf('0')).toBe('The number of workers is 0; give 1 or more.')
  expect(errorsOf('65537')).toMatch(/^The number of workers is 65.537, but .*; give 65.536 or less\.$/)
  expect(errorsOf('x')).toContain('not a whole number')
  expect(errorsOf('x', 'fused')).toBeUndefined()
})

describe('the configuration of a draft', () => {
  it('has the workers of the variant that has them', () => {
    const config = configOf({ ...draft, variant: 'partial-sums', workers: '7' })
    expect(config.workers).toBe(7)
    expect(configOf({ ...draftOf(config), features: ['a'] })).toEqual(config)
    expect(configOf({ ...draft, variant: 'partial-sums', workers: '' }).workers).toBeNull()
    expect(configOf({ ...draft, variant: 'fused', workers: '7' }).workers).toBeNull()
  })

  it('keeps the history and leaves an empty tolerance to the rule', () => {
    const config = configOf({ ...draft, k: '7', tolerance: '' })
    expect(config).toMatchObject({ k: 7, tolerance: null, history: true, features: ['a'], device: null })
  })

  it('reads exponents and refuses what only begins like a number', () => {
    expect(parseNumber('1e-4')).toBe(1e-4)
    expect(parseNumber('.5')).toBe(0.5)
    expect(parseNumber('1e999')).toBeNull()
    expect(parseNumber('3 apples')).toBeNull()
    expect(parseNumber('0x10')).toBeNull()
  })

  it('comes back from what is remembered', () => {
    const config = configOf({ ...draft, k: '5', tolerance: '0.01', stop: 'inertia', engine: 'webgpu' })
    expect(configOf({ ...draftOf(config), features: ['a'] })).toEqual(config)
  })
})

describe('what a run keeps of its iterations', () => {
  it('is everything unless given otherwise, and is remembered', () => {
    expect(draft.record).toBe('iterations-and-centroids')
    expect(configOf(draft)).toMatchObject({ history: true, centroidHistory: true })
    for (const record of recordChoices) {
      expect(draftOf(configOf({ ...draft, record })).record).toBe(record)
    }
    expect(configOf({ ...draft, record: 'iterations' })).toMatchObject({ centroidHistory: false })
    expect(configOf({ ...draft, record: 'nothing' })).toMatchObject({
      history: false,
      centroidHistory: false,
    })
  })

  it('says what it costs', () => {
    const config = configOf({ ...draft, k: '8', maxIterations: '1000', nInit: '4' })
    expect(recordHint(config, 2)).toContain('at most 250 KiB of memory')
    expect(recordHint({ ...config, k: 1e6 }, 100)).toContain('at most 256 MiB')
    expect(recordHint({ ...config, centroidHistory: false }, 2)).toContain('no time line')
    expect(recordHint({ ...config, history: false }, 2)).toContain('Fastest')
  })
})

describe('a scaling of single features', () => {
  const own = [
    { column: 'b', scaling: 'robust' },
    { column: 'gone', scaling: 'none' },
  ] as const

  it('is that of those chosen, and of none where rows are scaled', () => {
    const chosen = { ...draft, features: ['a', 'b'], columnScalings: own }
    expect(configOf(chosen).columnScalings).toEqual([own[0]])
    expect(configOf({ ...chosen, features: ['a'] })).not.toHaveProperty('columnScalings')
    expect(configOf({ ...chosen, scaling: 'unit-length' })).not.toHaveProperty('columnScalings')
  })
})

describe('the units of a tolerance', () => {
  it('are those of the file until the features are scaled', () => {
    expect(toleranceUnits('coordinate-shift', { scaling: 'none' })).toBe('units of the file')
    expect(toleranceUnits('inertia', { scaling: 'none' })).toBe('units² of the file')
    expect(toleranceUnits('coordinate-shift', { scaling: 'robust' })).toBe('scaled units')
    expect(toleranceUnits('inertia', { scaling: 'min-max' })).toBe('scaled units²')
    const columnScalings = [{ column: 'a', scaling: 'robust' }] as const
    expect(toleranceUnits('inertia', { scaling: 'none', columnScalings })).toBe('scaled units²')
    expect(toleranceUnits('labels', { scaling: 'none' })).toBe(
      toleranceUnits('labels', { scaling: 'standardise' }),
    )
  })
})

describe('columns as features', () => {
  it('offers columns with numbers and proposes what the import proposed', () => {
    const constant = column(5, 'one', { type: 'constant', min: 1, max: 1, proposed: false })
    const columns = [...irisColumns, constant]
    expect(usableColumns(columns).map(({ name }) => name)).toContain('one')
    expect(usableColumns(columns).map(({ name }) => name)).not.toContain('species')
    expect(proposedFeatures(columns)).toHaveLength(4)
  })
})
