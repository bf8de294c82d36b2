import * as v from 'valibot'
import { hostSchemas, id, importOverrides, nothing, runIds, type SchemaFor } from '@engine/host/schemas'
import {
  exportKinds,
  forwardedRequests,
  menuCommands,
  plotFormats,
  type ForwardedRequest,
  type WindowRequests,
} from '@shared/ipc'
import { partialSettings } from './settings'

const token = v.pipe(v.string(), v.minLength(1), v.maxLength(100))
const file = v.strictObject({ token, overrides: importOverrides })
const steps = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100_000))
const mostImageBytes = 1 << 27
const image = v.pipe(
  v.instance(Uint8Array),
  v.check((bytes) => bytes.length <= mostImageBytes, 'an image of at most 128 MiB'),
)
const plot = v.strictObject({
  name: v.pipe(v.string(), v.regex(/^[\w-]{1,60}$/)),
  format: v.picklist(plotFormats),
  bytes: image,
})

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
    'app.export': v.strictObject({ runId: id, kind: v.picklist(exportKinds) }),
    'app.forget-recent': nothing,
    'app.choose-steps': nothing,
    'app.open-steps': v.strictObject({ token }),
    'app.export-steps': v.strictObject({ runId: id, steps }),
    'app.export-timings': v.strictObject({ runIds }),
    'app.export-all': v.strictObject({
      runId: id,
      runIds,
      steps,
      plots: v.pipe(v.array(plot), v.maxLength(200)),
    }),
    'app.save-plot': plot,
    'app.copy-image': v.strictObject({ png: image }),
    'app.settings': nothing,
    'app.save-settings': v.strictObject({ settings: partialSettings }) as SchemaFor<
      WindowRequests['app.save-settings']['params']
    >,
    'app.host-state': nothing,
    'app.copy': v.strictObject({ text: v.pipe(v.string(), v.maxLength(1 << 24)) }),
    'app.menu-state': v.strictObject({ enabled: v.array(v.picklist(menuCommands)) }),
    'app.ready': nothing,
    'app.about': nothing,
    ...forwardedSchemas(),
  }

/** What passes main unchanged is checked by the host's own schemas. */
function forwardedSchemas(): Pick<typeof hostSchemas, ForwardedRequest> {
  return Object.fromEntries(forwardedRequests.map((channel) => [channel, hostSchemas[channel]])) as Pick<
    typeof hostSchemas,
    ForwardedRequest
  >
}
