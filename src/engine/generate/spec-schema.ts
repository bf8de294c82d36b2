import * as v from 'valibot'
import { generatorShapes, type GeneratorSpec } from '@shared/generator'

const count = (most: number) => v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.maxValue(most))
const share = v.pipe(v.number(), v.minValue(0), v.maxValue(1))
const partOfAll = v.pipe(
  share,
  v.check((value) => value < 1, 'a number below 1'),
)
const extent = v.pipe(v.number(), v.finite(), v.minValue(Number.MIN_VALUE))

/** Shape and range of every field; what fields must be together is for the generator to say. */
export const generatorSpec: v.GenericSchema<unknown, GeneratorSpec> = v.strictObject({
  shape: v.picklist(generatorShapes),
  n: count(2 ** 40),
  d: count(100_000),
  k: count(2 ** 31 - 1),
  width: extent,
  height: extent,
  spread: v.pipe(v.number(), v.finite(), v.minValue(0)),
  imbalance: partOfAll,
  noise: share,
  duplicates: partOfAll,
  seed: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
})
