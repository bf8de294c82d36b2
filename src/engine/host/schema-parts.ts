import * as v from 'valibot'
import { bulkChunkBytes } from '@shared/ipc'
import { languages } from '@shared/locale/languages'
import { exportDialects } from '@shared/text-choice'

export type SchemaFor<T> = v.GenericSchema<unknown, T>

export const nothing = v.strictObject({})

/** Both array kinds that travel in bulk have elements of four bytes. */
export const maximumBulkCount = bulkChunkBytes / 4

export const index = v.pipe(v.number(), v.safeInteger(), v.minValue(0))
export const bulkCount = v.pipe(index, v.maxValue(maximumBulkCount))

const clusterName = v.nullable(v.pipe(v.string(), v.maxLength(1000)))

/** See TextChoice. */
export const textChoice = {
  neutralise: v.exactOptional(v.boolean()),
  language: v.exactOptional(v.picklist(languages)),
  dialect: v.exactOptional(v.picklist(exportDialects)),
  clusterNames: v.exactOptional(v.array(clusterName)),
  note: v.exactOptional(v.pipe(v.string(), v.maxLength(1000))),
}

const maxImageBytes = 1 << 27

/** A picture that travels in one message. */
export const image = v.pipe(
  v.instance(Uint8Array),
  v.check((bytes) => bytes.length <= maxImageBytes, 'an image of at most 128 MiB'),
)
