import { comparisonDocument } from '@shared/benchmark/testing/document'
import { mount } from '@vue/test-utils'
import { describe, expect, it } from 'vitest'
import DataNotes from './DataNotes.vue'

const document = comparisonDocument()

describe('below the table of a comparison', () => {
  it('stands what was found wrong with each dataset', () => {
    const warnings = ['10 rows of the file were left out: missing values in the selected columns.']
    const dataWarnings = [{ dataset: 'iris.csv', warnings }]
    const notes = mount(DataNotes, { props: { document: { ...document, dataWarnings } } })
    expect(notes.find('[data-testid=bench-data-notes]').text()).toBe(`iris.csv: ${warnings[0]}`)
  })

  it('stands nothing where nothing is wrong, or a document is of before it was kept', () => {
    expect(mount(DataNotes, { props: { document } }).text()).toBe('')
  })
})
