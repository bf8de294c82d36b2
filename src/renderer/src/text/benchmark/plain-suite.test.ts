import { comparisonDocument } from '@shared/benchmark/testing/document'
import type { Suite } from '@shared/benchmark/suite'
import { expect, it } from 'vitest'
import { reactive } from 'vue'
import { plainSuite } from './plain-suite'

it('is the same suite, and can be sent to another process', () => {
  const { suite } = comparisonDocument()
  const overrides = { header: false, columnTypes: { 1: 'numeric' } } as const
  const file = { kind: 'file', path: 'token', name: 'a.csv', overrides } as const
  const whole: Suite = {
    ...suite,
    cases: [...suite.cases, { dataset: file, k: [2] }],
    config: { ...suite.config, features: ['a', 'b'] },
  }
  const draft = reactive(whole)
  expect(() => structuredClone(draft)).toThrow()
  expect(structuredClone(plainSuite(draft))).toEqual(whole)
})
