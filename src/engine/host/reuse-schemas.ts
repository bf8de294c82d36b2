import * as v from 'valibot'
import type { ReuseHostRequests } from '@shared/reuse-requests'
import { id, path } from '../run/run-config-schema'
import { textChoice, type SchemaFor } from './schema-parts'

/** Where a data file may lie: beside run.json there may be many files. */
const data = v.pipe(v.array(path), v.maxLength(10_000))

export const reuseSchemas: {
  readonly [K in keyof ReuseHostRequests]: SchemaFor<ReuseHostRequests[K]['params']>
} = {
  'predict.rows': v.strictObject({ taskId: id, runId: id, path }),
  'predict.close': v.strictObject({ predictionId: id }),
  'export.assignments': v.strictObject({ predictionId: id, path, replace: v.boolean(), ...textChoice }),
  'verify.run': v.strictObject({ taskId: id, runId: id, data }),
  'verify.describe': v.strictObject({ path }),
  'verify.file': v.strictObject({ taskId: id, path, data }),
  'reuse.cancel': v.strictObject({ taskId: id }),
  'run.python': v.strictObject({ runId: id }),
}
