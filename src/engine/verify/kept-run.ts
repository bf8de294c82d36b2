import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import * as v from 'valibot'
import { LabError } from '@shared/errors'
import { runFormat } from '../export/run-document'

const number = v.number()
const row = v.nullable(v.array(number))

/** What of a run.json tells how to make the run again, and what it came to. */
const schema = v.object({
  format: v.literal(runFormat.format),
  version: v.literal(runFormat.version),
  command_line: v.pipe(v.array(v.string()), v.minLength(3)),
  file: v.object({ name: v.string(), bytes: number, sha256: v.string() }),
  machine: v.object({ cpu: v.string(), versions: v.record(v.string(), v.string()) }),
  results: v.object({
    ...{ n: number, d: number, k: number, iterations: number, inertia: number },
    ...{ engine: v.string(), device: v.string(), device_name: v.string(), variant: v.string() },
    regime: v.optional(v.nullable(v.string()), null),
    deterministic: v.boolean(),
    result_sha256: v.optional(v.nullable(v.string()), null),
    stopped: v.string(),
    sizes: v.array(number),
  }),
  engine_centroids: v.array(row),
})

export type KeptRun = v.InferOutput<typeof schema>

/** Reads a run.json. @throws LabError `input` for what is none, `io` where it cannot be read */
export async function readKeptRun(path: string): Promise<KeptRun> {
  const text = await readFile(path, 'utf8').catch((thrown: NodeJS.ErrnoException) => {
    const why = thrown.code === 'ENOENT' ? 'is not there' : `cannot be read (${thrown.code ?? 'no reason'})`
    throw new LabError('io', 'verify.unreadable', `${path} ${why}: name a run.json that was exported.`)
  })
  const result = v.safeParse(schema, parsed(text))
  if (result.success) return result.output
  const [issue] = result.issues
  const key = v.getDotPath(issue) ?? 'its top level'
  const message = `${basename(path)} is no run.json that can be verified (${key}: ${issue.message}): choose one that this program exported.`
  throw new LabError('input', 'verify.format', message)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
