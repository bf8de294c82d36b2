import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import * as v from 'valibot'

/** Reads a file of ours; null when it is missing, damaged or of another form: then defaults hold. */
export async function readJson<T>(path: string, schema: v.GenericSchema<unknown, T>): Promise<T | null> {
  try {
    const parsed = v.safeParse(schema, JSON.parse(await readFile(path, 'utf8')))
    return parsed.success ? parsed.output : null
  } catch {
    return null
  }
}

/** Writes whole or not at all. Best effort: a read-only home must not stop the program. */
export async function writeJson(path: string, value: unknown): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(`${path}.new`, JSON.stringify(value, null, 2))
    await rename(`${path}.new`, path)
  } catch (error) {
    console.warn(`Settings could not be kept: ${String(error)}`)
  }
}
