import { parseFilter } from '@shared/row-filter/parse-filter'
import { flushPromises } from '@vue/test-utils'
import { describe, expect, it } from 'vitest'
import { column, irisColumns, summary } from '../../test/fixtures'
import { freshWindow } from '../../test/mount'
import { rememberedPart, useConfigStore } from './config'

function settings() {
  freshWindow()
  const config = useConfigStore()
  config.adopt(summary())
  return config
}

describe('scalings of single features', () => {
  it('travel to the engine, and stay while a feature is not ticked', () => {
    const config = settings()
    config.setScaling('petal_width', 'robust')
    config.setScaling('sepal_width', 'none')
    config.setScaling('sepal_width', null)
    const own = [{ column: 'petal_width', scaling: 'robust' }]
    expect(structuredClone(config.config).columnScalings).toEqual(own)
    config.setFeature('petal_width', false)
    expect(config.config.columnScalings).toBeUndefined()
    config.setFeature('petal_width', true)
    expect(config.config.columnScalings).toEqual(own)
  })

  it('are those of one file, however it is read, and are not remembered', () => {
    const config = settings()
    config.setScaling('petal_width', 'robust')
    config.adopt(summary(), true)
    expect(config.config.columnScalings).toHaveLength(1)
    expect(rememberedPart(config.config)).not.toHaveProperty('columnScalings')
    config.adopt(summary({ columns: [...irisColumns, column(9, 'more')] }))
    expect(config.config.columnScalings).toBeUndefined()
  })
})

describe('the row filter', () => {
  const filter = parseFilter(
    'sepal_length > 5 and (species in (setosa, virginica) or sepal_width is missing)',
  )

  it('travels to the engine, is undone, and stays as long as the file does', async () => {
    const config = settings()
    config.setFilter(filter)
    await flushPromises()
    expect(structuredClone(config.config).filter).toEqual(filter)
    expect(rememberedPart(config.config)).not.toHaveProperty('filter')
    config.undo()
    expect(config.config).not.toHaveProperty('filter')
    config.redo()
    config.adopt(summary(), true)
    expect(config.config.filter).toEqual(filter)
    config.adopt(summary())
    expect(config.config).not.toHaveProperty('filter')
  })
})

describe('one-hot columns', () => {
  const species = column(4, 'species', { type: 'categorical', min: null, max: null, categories: 3 })
  const file = summary({ columns: [...irisColumns.slice(0, 4), species] })

  it('count as many features as they have texts, and suffice alone', () => {
    const config = settings()
    config.adopt(file)
    config.setOneHot('species', true)
    expect(config.featureCount).toBe(7)
    expect(structuredClone(config.config).oneHot).toEqual(['species'])
    config.setFeatures([])
    expect(config.errors.features).toBeUndefined()
    config.draft.scaling = 'unit-length'
    expect(config.errors.features).toContain('no length to divide by')
    config.setOneHot('species', false)
    expect(config.errors.features).toContain('No feature is chosen')
    expect(config.config).not.toHaveProperty('oneHot')
  })

  it('stay as long as the file has them, and are not remembered', () => {
    const config = settings()
    config.adopt(file)
    config.setOneHot('species', true)
    expect(rememberedPart(config.config)).not.toHaveProperty('oneHot')
    config.adopt(file, true)
    expect(config.config.oneHot).toEqual(['species'])
    config.adopt(summary(), true)
    expect(config.config).not.toHaveProperty('oneHot')
  })
})
