import * as v from 'valibot'
import { suiteSchema } from '@engine/benchmark/suite-schema'
import { importOverrides } from '@engine/csv/import-overrides-schema'
import { generatorSpec } from '@engine/generate/spec-schema'
import { exportEntries, plotImage, plotImages } from '@engine/host/benchmark-schemas'
import { image } from '@engine/host/schema-parts'
import { memoryLimitEntries } from '@engine/host/memory-schema'
import { hostSchemas, id, nothing, runIds, textChoice, type SchemaFor } from '@engine/host/schemas'
import { generatorFormats } from '@shared/generator'
import {
  exportKinds,
  forwardedRequests,
  menuCommands,
  type ForwardedRequest,
  type WindowRequests,
} from '@shared/ipc'
import { sessionState } from '@engine/session/session-schema'
import { partialSettings } from './settings-schema'

const token = v.pipe(v.string(), v.minLength(1), v.maxLength(100))
const file = v.strictObject({ token, overrides: importOverrides })
const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0))
const steps = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100_000))

/** What may come from the window, channel by channel. */
export const windowSchemas: { readonly [K in keyof WindowRequests]: SchemaFor<WindowRequests[K]['params']> } =
  {
    'app.choose-file': nothing,
    'app.choose-centroids': nothing,
    'app.open': file,
    'app.preview': file,
    'app.cancel-open': v.strictObject({ token }),
    'app.register-drop': v.strictObject({ path: v.pipe(v.string(), v.maxLength(32_768)) }),
    'app.recent': nothing,
    'app.samples': nothing,
    'app.export': v.strictObject({ runId: id, kind: v.picklist(exportKinds), ...textChoice }),
    'app.forget-recent': nothing,
    'app.choose-steps': nothing,
    'app.open-steps': v.strictObject({ token }),
    'app.export-steps': v.strictObject({ runId: id, steps, ...textChoice }),
    'app.export-timings': v.strictObject({ runIds, ...textChoice }),
    'app.export-all': v.strictObject({
      runId: id,
      runIds,
      steps,
      plots: plotImages,
      ...textChoice,
    }),
    'app.save-plot': plotImage,
    'app.copy-image': v.strictObject({ png: image }),
    'app.memory': nothing,
    'app.set-memory': v.strictObject(memoryLimitEntries),
    'app.choose-scratch': v.strictObject({ usual: v.boolean() }),
    'app.settings': nothing,
    'app.save-settings': v.strictObject({ settings: partialSettings }) as SchemaFor<
      WindowRequests['app.save-settings']['params']
    >,
    'app.host-state': nothing,
    'app.start-engine': nothing,
    'app.copy': v.strictObject({ text: v.pipe(v.string(), v.maxLength(1 << 24)) }),
    'app.menu-state': v.strictObject({ enabled: v.array(v.picklist(menuCommands)) }),
    'app.ready': nothing,
    'app.about': nothing,
    'app.kept-sessions': nothing,
    'app.continue-session': v.strictObject({ id }),
    'app.discard-session': v.strictObject({ id }),
    'app.session-state': v.strictObject({ state: sessionState, unsaved: v.boolean() }) as SchemaFor<
      WindowRequests['app.session-state']['params']
    >,
    'app.save-session': v.strictObject({ state: sessionState, as: v.boolean() }) as SchemaFor<
      WindowRequests['app.save-session']['params']
    >,
    'app.choose-session': nothing,
    'app.open-session': v.strictObject({ token }),
    'app.new-session': nothing,
    'app.show-dataset': v.strictObject({ datasetId: id }),
    'app.locate-dataset': v.strictObject({ datasetId: id }),
    'app.confirm-close-dataset': v.strictObject({ name: v.pipe(v.string(), v.maxLength(1000)), runs: count }),
    'app.bench-plan': v.strictObject({ suite: suiteSchema }),
    'app.bench-start': v.strictObject({ suite: suiteSchema }),
    'app.bench-choose-folder': nothing,
    'app.bench-open-suite': nothing,
    'app.bench-document': v.strictObject({ benchId: exportEntries.benchId }),
    'app.bench-document-part': v.strictObject({ ticket: count, part: count }),
    'app.bench-export': v.strictObject(exportEntries),
    'app.predict': v.strictObject({ taskId: id, runId: id, token }),
    'app.export-assignments': v.strictObject({ predictionId: id, ...textChoice }),
    'app.verify': v.strictObject({ taskId: id, runId: id, data: v.nullable(token) }),
    'app.describe-run': v.strictObject({ token }),
    'app.verify-file': v.strictObject({ taskId: id, token, data: v.nullable(token) }),
    'app.export-scan': v.strictObject({ scanId: id, ...textChoice }),
    'app.generate': v.strictObject({ spec: generatorSpec, format: v.picklist(generatorFormats) }),
    ...forwardedSchemas(),
  }

/** What passes main unchanged is checked by the host's own schemas. */
function forwardedSchemas(): Pick<typeof hostSchemas, ForwardedRequest> {
  return Object.fromEntries(forwardedRequests.map((channel) => [channel, hostSchemas[channel]])) as Pick<
    typeof hostSchemas,
    ForwardedRequest
  >
}
