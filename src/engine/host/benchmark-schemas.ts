import * as v from 'valibot'
import { benchmarkExports, type BenchmarkHostRequests } from '@shared/benchmark/requests'
import { generatorFormats } from '@shared/generator'
import { languages } from '@shared/locale/languages'
import { plotFormats } from '@shared/plot-image'
import { suiteSchema } from '../benchmark/suite-schema'
import { generatorSpec } from '../generate/spec-schema'
import { id, path } from '../run/run-config-schema'
import { image, nothing, textChoice, type SchemaFor } from './schema-parts'

/** Drawn for a preview: enough to see a shape, little enough for one message. */
const maxPreviewPoints = 100_000
const maxPlots = 200

export const plotImage = v.strictObject({
  name: v.pipe(v.string(), v.regex(/^[\w-]{1,60}$/)),
  format: v.picklist(plotFormats),
  bytes: image,
})
export const plotImages = v.pipe(v.array(plotImage), v.maxLength(maxPlots))
const titledPlot = v.strictObject({ ...plotImage.entries, title: v.pipe(v.string(), v.maxLength(10_000)) })

/** What names a kept comparison. */
const kept = v.strictObject({ benchId: id })

export const exportEntries = {
  benchId: id,
  what: v.picklist(benchmarkExports),
  baseline: id,
  plots: v.pipe(v.array(titledPlot), v.maxLength(maxPlots)),
  ...textChoice,
}

export const benchmarkSchemas: {
  readonly [K in keyof BenchmarkHostRequests]: SchemaFor<BenchmarkHostRequests[K]['params']>
} = {
  'bench.presets': v.strictObject({ scale: v.pipe(v.number(), v.minValue(1e-9), v.maxValue(1)) }),
  'bench.outside': nothing,
  'bench.plan': v.strictObject({ suite: suiteSchema }),
  'bench.start': v.strictObject({ suite: suiteSchema }),
  'bench.pause': kept,
  'bench.resume': kept,
  'bench.cancel': kept,
  'bench.list': nothing,
  'bench.document': kept,
  'bench.forget': kept,
  'bench.markdown': v.strictObject({ benchId: id, baseline: id, language: v.picklist(languages) }),
  'bench.export': v.strictObject({ ...exportEntries, path, replace: v.boolean() }),
  'generate.preview': v.strictObject({
    spec: generatorSpec,
    count: v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.maxValue(maxPreviewPoints)),
  }),
  'generate.write': v.strictObject({
    spec: generatorSpec,
    format: v.picklist(generatorFormats),
    path,
    replace: v.boolean(),
  }),
  'generate.cancel': nothing,
}
