import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import * as v from 'valibot'
import type { NamedColumnType } from '@shared/command-line'
import { LabError } from '@shared/errors'
import { runFormat } from '../export/run-document'
import { configurationParts, importParts } from './kept-parts'

const number = v.pipe(v.number(), v.finite())
const count = v.pipe(v.number(), v.integer(), v.minValue(0))
const row = v.array(number)

const feature = v.object({
  name: v.string(),
  /** The column of texts that an indicator is of; absent in what an earlier version kept. */
  column: v.optional(v.string()),
  category: v.optional(v.string()),
  unit: v.optional(v.string()),
  range: v.optional(v.nullable(v.tuple([number, number])), null),
  offset: number,
  step: v.pipe(
    number,
    v.check((step) => step !== 0, 'is 0'),
  ),
  fill: v.nullable(number),
})

/** What of a run.json places rows among its clusters, makes the run again, and tells what it came to. */
const schema = v.object({
  format: v.literal(runFormat.format),
  version: v.literal(runFormat.version),
  started_at: v.optional(v.string(), ''),
  file: v.object({ name: v.string(), bytes: count, sha256: v.string() }),
  import: importParts,
  features: v.pipe(v.array(feature), v.minLength(1)),
  preparation: v.object({
    ...{ missing: configurationParts.missing, scaling: configurationParts.scaling },
    exponent: v.pipe(v.number(), v.integer()),
  }),
  configuration: v.object(configurationParts),
  machine: v.object({ cpu: v.string(), versions: v.record(v.string(), v.string()) }),
  results: v.object({
    ...{ n: count, d: count, k: v.pipe(count, v.minValue(1)), iterations: count, inertia: number },
    ...{ engine: v.string(), device: v.string(), device_name: v.string(), variant: v.string() },
    regime: v.optional(v.nullable(v.string()), null),
    precision: configurationParts.precision,
    deterministic: v.boolean(),
    result_sha256: v.optional(v.nullable(v.string()), null),
    reused: v.optional(v.array(v.string()), []),
    stopped: v.string(),
    clusters: v.array(v.object({ cluster: count, size: count, inertia: v.nullable(number) })),
  }),
  engine_centroids: v.array(v.nullable(row)),
})

/** A clustering as run.json keeps it; keys that nobody needs, or that a later version added, are let be. */
export type KeptRun = v.InferOutput<typeof schema>
export type KeptFeature = KeptRun['features'][number]

/**
 * Reads a run.json, for whoever assigns rows by it or makes it again.
 * @throws LabError `input` for what is none, with the key that is wrong; `io` where it cannot be read
 */
export async function readKeptRun(path: string): Promise<KeptRun> {
  const text = await readFile(path, 'utf8').catch((thrown: NodeJS.ErrnoException) => {
    const why = thrown.code === 'ENOENT' ? 'is not there' : `cannot be read (${thrown.code ?? 'no reason'})`
    throw new LabError('io', 'run-file.unreadable', `${path} ${why}: name a run.json that was exported.`)
  })
  return keptRunFrom(parsedRun(basename(path), text), basename(path))
}

/** @param value a run document, parsed @param name what sentences call it */
export function keptRunFrom(value: unknown, name: string): KeptRun {
  const result = v.safeParse(schema, value)
  if (!result.success) {
    const [issue] = result.issues
    const key = v.getDotPath(issue) ?? 'its top level'
    throw notKept(name, `${key}: ${issue.message}`)
  }
  const { features, results, engine_centroids: centroids } = result.output
  if (centroids.length !== results.k || results.clusters.length !== results.k) {
    throw notKept(name, 'engine_centroids: not one for each cluster')
  }
  if (centroids.some((centroid) => centroid !== null && centroid.length !== features.length)) {
    throw notKept(name, 'engine_centroids: not one coordinate for each feature')
  }
  if (centroids.every((centroid) => centroid === null)) throw notKept(name, 'it has no centroid')
  return result.output
}

/** Types that were given by hand to columns that became features: those of another file are to be read alike. */
export function keptTypes({ features, ...kept }: KeptRun): readonly NamedColumnType[] {
  const names = new Set(features.flatMap(({ name, column }) => [name, column]))
  return kept.import.overrides.column_types.filter(({ name }) => names.has(name))
}

/** @param name what sentences call it @throws LabError `run-file.format` */
export function parsedRun(name: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (thrown) {
    throw notKept(name, thrown instanceof Error ? thrown.message : String(thrown))
  }
}

function notKept(name: string, why: string): LabError {
  const message = `${name} is no run.json that this program can use (${why}): choose one that it exported.`
  return new LabError('input', 'run-file.format', message)
}
