import {
  chmodSync,
  closeSync,
  fchmodSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { readTextWithin } from '@engine/bounded-file'
import { t } from '@shared/locale/translate'

/** A small file of ours that is remembered between starts. */
export interface StateFile<T> {
  /** Below the person's folder. */
  readonly name: string
  readonly schema: v.GenericSchema<unknown, T>
  readonly maxBytes: number
  /** What cannot be read, and what holds instead: subject and end of a sentence. */
  readonly lost: { readonly subject: string; readonly instead: string }
}

const unfinished = '.new'
/** Nobody else on the machine reads what a person did. */
const ownFile = 0o600
const ownFolder = 0o700

/**
 * The small files of the person's folder: each is read within a limit and written whole or not at all. What goes wrong
 * is told in a sentence, and no sentence twice.
 */
export class StateFiles {
  readonly folder: string
  readonly #unreported: string[] = []
  #report: ((sentence: string) => void) | null = null
  #isUnsavedReported = false

  constructor(folder: string) {
    this.folder = folder
  }

  /** Closes the folder to others, and removes what an earlier start was writing when it was killed. */
  removeUnfinished(): void {
    quietly(() => chmodSync(this.folder, ownFolder))
    quietly(() => {
      for (const name of readdirSync(this.folder))
        if (name.endsWith(`.json${unfinished}`)) rmSync(join(this.folder, name), { force: true })
    })
  }

  /** From now on what goes wrong is reported here; what went wrong before, at once and in one piece. */
  onNotice(report: (sentence: string) => void): void {
    this.#report = report
    if (this.#unreported.length > 0) report(this.#unreported.splice(0).join(' '))
  }

  notice(sentence: string): void {
    if (this.#report === null) this.#unreported.push(sentence)
    else this.#report(sentence)
  }

  /** Null for a file that is missing, or that holds what it should not: that one is set aside, and the person told. */
  async read<T>({ name, schema, maxBytes, lost }: StateFile<T>): Promise<T | null> {
    const read = await readTextWithin(join(this.folder, name), maxBytes)
    if (read.kind === 'missing') return null
    const parsed = read.kind === 'text' ? parse(schema, read.text) : null
    if (parsed !== null) return parsed.value
    const why = read.kind === 'unfit' ? ` (${read.why})` : ''
    const aside = this.#setAside(name)
    this.notice(t('desktop.couldNotBeReadAndThe', [lost.subject, why, lost.instead, aside]))
    return null
  }

  /**
   * Before it returns: these files are small, and two writes at once, or the end of the program, must not damage
   * them. @returns it is on the disk; otherwise what was there before still is, and the person is told once
   */
  write({ name }: Pick<StateFile<unknown>, 'name'>, value: unknown): boolean {
    const path = join(this.folder, name)
    try {
      writeOwn(`${path}${unfinished}`, JSON.stringify(value, null, 2))
      renameSync(`${path}${unfinished}`, path)
      return true
    } catch (error) {
      // What a full disk took of a file is of no use.
      quietly(() => rmSync(`${path}${unfinished}`, { force: true }))
      this.#unsaved(error)
      return false
    }
  }

  #unsaved(error: unknown): void {
    console.warn(`Settings could not be kept: ${String(error)}`)
    if (this.#isUnsavedReported) return
    this.#isUnsavedReported = true
    this.notice(t('desktop.nothingCanBeSavedInBecause', [this.folder, reason(error)]))
  }

  /** So that nothing in it is lost and the next start finds none. @returns where it lies now */
  #setAside(name: string): string {
    const path = join(this.folder, name)
    try {
      renameSync(path, `${path}.damaged`)
      return `${path}.damaged`
    } catch {
      return path
    }
  }
}

/** Boxed: null may be a value. */
function parse<T>(schema: v.GenericSchema<unknown, T>, text: string): { readonly value: T } | null {
  try {
    const parsed = v.safeParse(schema, JSON.parse(text))
    return parsed.success ? { value: parsed.output } : null
  } catch {
    return null
  }
}

/** A disk on a network that is full says so only when the file is closed. */
function writeOwn(path: string, text: string): void {
  const file = openSync(path, 'w', ownFile)
  try {
    // One that was there before, from an older version, keeps its own mode otherwise.
    quietly(() => fchmodSync(file, ownFile))
    writeFileSync(file, text)
  } finally {
    closeSync(file)
  }
}

function reason(error: unknown): string {
  const code = codeOf(error)
  if (code === 'ENOSPC') return t('desktop.theDiskIsFull')
  if (code === 'EDQUOT') return t('desktop.yourShareOfTheDiskIs')
  if (code === 'EROFS') return t('desktop.theDiskIsReadOnly')
  return t('desktop.itCannotBeWritten')
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

function quietly(act: () => void): void {
  try {
    act()
  } catch {
    // A folder that lets nothing be changed is reported when something is to be written.
  }
}
