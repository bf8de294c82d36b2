import { toJsonSchema } from '@valibot/to-json-schema'
import { runFormat } from '../../export/run-document'
import { runSchema } from '../run-schema'

/** The text of `docs/run.schema.json`: what run.json is, for programs in other languages. */
export function runJsonSchema(): string {
  const { $schema, ...schema } = toJsonSchema(runSchema)
  const about = {
    $schema,
    $id: `urn:${runFormat.format}:${runFormat.version}`,
    title: 'run.json of Centroid Lab',
    description:
      'A k-means clustering: how to repeat it, what it came to, and all it takes to assign new rows to its clusters. A reader must check format and version; a later version of the program may add keys within a version.',
  }
  return `${JSON.stringify({ ...about, ...schema }, null, 2)}\n`
}
