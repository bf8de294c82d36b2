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
