import { describe, expect, it } from 'vitest'
import { formatBytes, formatDuration, plural } from '../quantity-words'
import { languageOf } from './languages'
import { speaking } from './translate'

describe('the language of the window', () => {
  it('is the first of the desktop’s that it speaks, unless the person chose one', () => {
    expect(languageOf('system', ['de-DE', 'pl-PL', 'en-GB'])).toBe('pl')
    expect(languageOf('system', ['fr'])).toBe('en')
    expect(languageOf('system', [])).toBe('en')
    expect(languageOf('it', ['pl-PL'])).toBe('it')
  })
})

describe('counts', () => {
  it('have three forms in Polish', () => {
    const rows = [0, 1, 2, 4, 5, 12, 14, 21, 22, 25, 112, 1204]
    expect(speaking('pl', () => rows.map((count) => plural(count, 'row')))).toEqual([
      '0 wierszy',
      '1 wiersz',
      '2 wiersze',
      '4 wiersze',
      '5 wierszy',
      '12 wierszy',
      '14 wierszy',
      '21 wierszy',
      '22 wiersze',
      '25 wierszy',
      '112 wierszy',
      '1\u202f204 wiersze',
    ])
  })

  it('have two in English and Italian', () => {
    const counted = () => [0, 1, 2].map((count) => plural(count, 'column'))
    expect(counted()).toEqual(['0 columns', '1 column', '2 columns'])
    expect(speaking('it', counted)).toEqual(['0 colonne', '1 colonna', '2 colonne'])
  })
})

it('durations and sizes have the decimal mark of the language', () => {
  const shown = () => [formatDuration(12_340), formatBytes(1_500_000)]
  expect(shown()).toEqual(['12.3 s', '1.4 MiB'])
  expect(speaking('pl', shown)).toEqual(['12,3 s', '1,4 MiB'])
})
