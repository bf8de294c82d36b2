import * as v from 'valibot'
import { maxRowsAsked } from '@shared/ipc'
import type { QualityHostRequests } from '@shared/quality-requests'
import { maxScannedK, scanIndices } from '@shared/scan'
import { silhouetteExtents } from '@shared/silhouettes'
import { id, path, runConfigEntries } from '../run/run-config-schema'
import { bulkCount, index, textChoice, type SchemaFor } from './schema-parts'

const clusters = v.pipe(index, v.minValue(1), v.maxValue(maxScannedK))

/** Whether the range fits the data is for the scan to say, in words about the data. */
const scanConfig = v.strictObject({
  run: v.strictObject(runConfigEntries),
  kMin: clusters,
  kMax: clusters,
  restarts: v.pipe(index, v.minValue(1)),
  indices: v.pipe(v.array(v.picklist(scanIndices)), v.maxLength(scanIndices.length)),
  silhouette: v.picklist(silhouetteExtents),
})

const scan = v.strictObject({ scanId: id })
const rangeOfRows = v.strictObject({ runId: id, start: index, count: bulkCount })

export const qualitySchemas: {
  readonly [K in keyof QualityHostRequests]: SchemaFor<QualityHostRequests[K]['params']>
} = {
  'scan.start': v.strictObject({ datasetId: id, config: scanConfig }),
  'scan.cancel': scan,
  'scan.resume': scan,
  'scan.record': scan,
  'scan.list': v.strictObject({ datasetId: id }),
  'scan.take': v.strictObject({ scanId: id, k: clusters }),
  'scan.forget': scan,
  'export.scan': v.strictObject({ scanId: id, path, replace: v.boolean(), ...textChoice }),
  'run.profile': v.strictObject({ runId: id, start: index, count: index }),
  'run.cancel-profile': v.strictObject({ runId: id }),
  'run.silhouettes': v.strictObject({ runId: id, extent: v.picklist(silhouetteExtents) }),
  'run.cancel-silhouettes': v.strictObject({ runId: id }),
  'run.silhouette-values': rangeOfRows,
  'run.cross-table': v.strictObject({ runId: id, column: index }),
  'run.outliers': v.strictObject({
    runId: id,
    cluster: v.nullable(index),
    count: v.pipe(index, v.maxValue(maxRowsAsked)),
  }),
  'run.distances': rangeOfRows,
}
