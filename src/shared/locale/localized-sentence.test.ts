import { expect, it } from 'vitest'
import en from '../locales/en/sentences'
import { localizedSentence } from './localized-sentence'
import { speaking } from './translate'

const inPolish = (sentence: string) => speaking('pl', () => localizedSentence(sentence))

it('says a sentence of the engine in the language of the window, with what it names', () => {
  const sentence = 'The centroid file c.csv holds 4 centroids but k is 3: set k to 4 or choose another file.'
  expect(inPolish(sentence)).toBe(
    'Plik centroidów c.csv zawiera 4 centroidów, a k to 3: ustaw k na 4 albo wybierz inny plik.',
  )
  expect(localizedSentence(sentence)).toBe(sentence)
})

it('says what stands inside of it too, counts with their forms', () => {
  const sentence =
    '5 rows of the file were left out: missing values in the selected columns, the first in row 7.'
  expect(inPolish(sentence)).toBe(
    '5 wierszy pliku pominięto: braki w wybranych kolumnach, pierwszy to wiersz 7.',
  )
})

it('leaves a sentence that no message fits as it is', () => {
  expect(inPolish('Nobody has ever said this.')).toBe('Nobody has ever said this.')
})

it('in English every pattern gives back what it was read from', () => {
  for (const message of Object.values(en)) {
    const sentence = message.replace(/\{'(.)'\}/g, '$1').replace(/\{(\d+)\}/g, 'x$1')
    expect(localizedSentence(sentence)).toBe(sentence)
  }
})
