import { expect, it } from 'vitest'
import { configurationDescription, configurationLine } from './configuration-text'
import type { Contender, Suite, SuiteConfig } from './suite'
import { comparisonDocument } from './testing/document'

const partialSums: Contender = { kind: 'variant', engine: 'webgpu', variant: 'partial-sums', device: null }

function suiteWith(
  contenders: readonly Contender[],
  config: Partial<SuiteConfig>,
): { readonly suite: Suite } {
  const { suite } = comparisonDocument()
  return { suite: { ...suite, contenders, config: { ...suite.config, ...config } } }
}

it('says in what precision all worked', () => {
  const precision = (of: { readonly suite: Suite }) =>
    configurationDescription(of).find(({ name }) => name === 'Precision')?.value
  const fine = suiteWith([partialSums], { precision: 'float64' })
  expect([precision(fine), precision(suiteWith([], {}))]).toEqual(['float64', 'float32'])
  expect(configurationLine(fine)).toContain('; in float64; ')
  expect(configurationLine(suiteWith([], {}))).not.toContain('float64; ')
})

it('says with how many workers the variant worked that has them', () => {
  const seven = suiteWith([partialSums], { workers: 7 })
  expect(configurationDescription(seven)).toContainEqual({ name: 'Workers', value: '7 (partial-sums)' })
  expect(configurationLine(seven)).toContain('; workers 7 (partial-sums); ')
  const { contenders } = comparisonDocument().suite
  for (const silent of [suiteWith([partialSums], {}), suiteWith(contenders, { workers: 7 })]) {
    expect(configurationDescription(silent).map(({ name }) => name)).not.toContain('Workers')
    expect(configurationLine(silent)).not.toContain('workers')
  }
})
