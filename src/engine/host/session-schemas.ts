import * as v from 'valibot'
import type { SessionHostRequests } from '@shared/session-requests'
import { id, path } from '../run/run-config-schema'
import { fileEntries, savedDatasets } from '../session/session-schema'
import type { SchemaFor } from './schema-parts'

const { bytes, sha256, modifiedMs } = fileEntries
const maxFiles = 1000
const datasetIds = v.pipe(v.array(id), v.maxLength(10_000))

export const sessionSchemas: {
  readonly [K in keyof SessionHostRequests]: SchemaFor<SessionHostRequests[K]['params']>
} = {
  'session.write': v.strictObject({ path, shown: v.nullable(id), datasets: savedDatasets }) as SchemaFor<
    SessionHostRequests['session.write']['params']
  >,
  'session.read': v.strictObject({ path }),
  'session.cancel': v.strictObject({}),
  'session.check': v.strictObject({
    files: v.pipe(v.array(v.strictObject({ id, path, bytes, sha256, modifiedMs })), v.maxLength(maxFiles)),
  }),
  'session.find': v.strictObject({
    folder: path,
    files: v.pipe(v.array(v.strictObject({ id, bytes, sha256 })), v.maxLength(maxFiles)),
  }),
  'session.discard': v.strictObject({ datasetIds }),
  'run.listed': v.strictObject({ datasetIds }),
  'run.record': v.strictObject({ runId: id }),
}
