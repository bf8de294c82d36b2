import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import * as v from 'valibot'

/** Reads a file of ours; null when it is missing, damaged or of another form: then defaults hold. */
export async function readJson<T>(path: string, schema: v.GenericSchema<unknown, T>): Promise<T | null> {
  return (await readJsonOrDamage(path, schema)).value
}

/** The same, and whether there is a file that does not hold what it should. */
export async function readJsonOrDamage<T>(
  path: string,
  schema: v.GenericSchema<unknown, T>,
): Promise<{ readonly value: T | null; readonly damaged: boolean }> {
  const text = await readFile(path, 'utf8').catch(() => null)
  if (text === null) return { value: null, damaged: false }
  try {
    const parsed = v.safeParse(schema, JSON.parse(text))
    return { value: parsed.success ? parsed.output : null, damaged: !parsed.success }
  } catch {
    return { value: null, damaged: true }
  }
}

/** Puts a damaged file aside, so that nothing in it is lost and the next start finds none. @returns where it lies now */
export function putAside(path: string): string {
  const aside = `${path}.damaged`
  try {
    renameSync(path, aside)
    return aside
  } catch {
    return path
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
    leaveNothing(`${path}.new`)
    console.warn(`Settings could not be kept: ${String(error)}`)
  }
}

/** What a full disk took of a file is of no use. */
function leaveNothing(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch {
    // A disk that lets nothing be written may let nothing be removed.
  }
}
