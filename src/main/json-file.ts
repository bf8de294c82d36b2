import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
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

/**
 * Writes whole or not at all, before it returns: these files are a few hundred bytes, and two writes at once, or
 * the end of the program, must not damage them. A read-only home must not stop the program.
 */
export function writeJsonNow(path: string, value: unknown): void {
  try {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(`${path}.new`, JSON.stringify(value, null, 2))
    renameSync(`${path}.new`, path)
  } catch (error) {
    console.warn(`Settings could not be kept: ${String(error)}`)
  }
}
