import * as v from 'valibot'
import { hostSchemas, importOverrides, type SchemaFor } from '@engine/host/schemas'
import { exportKinds, type WindowRequests } from '@shared/ipc'
import { partialSettings } from './settings'

const nothing = v.strictObject({})
const token = v.pipe(v.string(), v.minLength(1), v.maxLength(100))
const id = v.pipe(v.string(), v.minLength(1), v.maxLength(200))
const file = v.strictObject({ token, overrides: importOverrides })

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
    'app.settings': nothing,
    'app.save-settings': v.strictObject({ settings: partialSettings }) as SchemaFor<
      WindowRequests['app.save-settings']['params']
    >,
    'app.host-state': nothing,
    'app.copy': v.strictObject({ text: v.pipe(v.string(), v.maxLength(1 << 24)) }),
    'app.ready': nothing,
    'app.about': nothing,
    'dataset.close': hostSchemas['dataset.close'],
    'dataset.values': hostSchemas['dataset.values'],
    'engines.list': hostSchemas['engines.list'],
    'run.start': hostSchemas['run.start'],
    'run.cancel': hostSchemas['run.cancel'],
    'run.labels': hostSchemas['run.labels'],
    'run.forget': hostSchemas['run.forget'],
  }
