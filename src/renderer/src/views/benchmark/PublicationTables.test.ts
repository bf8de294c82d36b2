import { mount } from '@vue/test-utils'
import { comparisonDocument } from '@shared/benchmark/testing/document'
import { ratioDocument } from '@shared/benchmark/testing/ratio-document'
import type { BenchmarkDocument } from '@shared/benchmark/document'
import { describe, expect, it } from 'vitest'
import PublicationTables from './PublicationTables.vue'

const show = (document: BenchmarkDocument) =>
  mount(PublicationTables, { props: { document, baseline: document.suite.baseline } })

describe('below the times of a comparison', () => {
  it('stand the ratios of the study beside those measured, and who stands in', () => {
    const page = show(ratioDocument({ webgpu: [[1, 2], [1, 4]] })) // prettier-ignore
    const ratios = page.get('[data-testid="bench-publication-Ratios"]').text()
    for (const text of ['GPU only over hybrid', '2.600', '3.000', 'stands in for CUDA']) {
      expect(ratios).toContain(text)
    }
    expect(page.find('[data-testid="bench-publication-Ratio data"]').exists()).toBe(true)
    expect(page.text()).toContain('WebGPU stands in for CUDA, which did not run in this comparison')
  })

  it('stands why there is none, in the cell', () => {
    const cells = show(ratioDocument({})).findAll('tbody td')
    expect(cells.map((cell) => cell.text())).toContain('no k = 5 in this comparison')
  })

  it('stand published times, and nothing without a study', () => {
    const document = comparisonDocument()
    expect(show(document).get('[data-testid=bench-publication-Published]').text()).toContain('CUDA 1')
    expect(show({ ...document, suite: { ...document.suite, publication: null } }).text()).toBe('')
  })
})
