import { randomUUID } from 'node:crypto'
import { open, stat } from 'node:fs/promises'
import { basename, dirname, extname, join, resolve } from 'node:path'
import * as v from 'valibot'
import { runFormat } from '@engine/export/run-document'
import { LabError } from '@shared/errors'
import type { RecentFile, SampleFile } from '@shared/ipc'
import type { ChosenFile } from '@shared/chosen-file'
import { sessionEnding } from '@shared/session'
import { samplesFolder } from './paths'
import type { StateFile, StateFiles } from './state-files'
import { t } from '@shared/locale/translate'

const maxRecent = 8

const recentFile = {
  name: 'recent.json',
  schema: v.array(v.pipe(v.string(), v.maxLength(32_768))),
  // Eight of the longest paths there are.
  maxBytes: 2 ** 18,
  lost: {
    get subject() {
      return t('desktop.theListOfRecentFiles')
    },
    get instead() {
      return t('desktop.beginsAnew')
    },
  },
} satisfies StateFile<unknown>

const samples: readonly { readonly name: string; readonly description: string }[] = [
  {
    name: 'iris.csv',
    get description() {
      return t('desktop.irisFlowers150Rows4Features')
    },
  },
  {
    name: 'wine.csv',
    get description() {
      return t('desktop.winesOfThreeCultivars178Rows')
    },
  },
  {
    name: 'digits.csv',
    get description() {
      return t('desktop.handwrittenDigits1797Rows64')
    },
  },
]

/**
 * Files the person chose, by token. The page knows tokens and names only, so it can reach no file that was not
 * chosen in a dialog, dropped, listed or named on the command line.
 */
export class ChosenFiles {
  readonly #paths = new Map<string, string>()
  readonly #state: StateFiles
  readonly #onRecent: (recent: readonly RecentFile[]) => void
  #recent: readonly string[] = []

  /** @param onRecent gets the list when it is loaded and whenever it changes. */
  constructor(state: StateFiles, onRecent: (recent: readonly RecentFile[]) => void) {
    this.#state = state
    this.#onRecent = onRecent
  }

  async load(): Promise<void> {
    this.#recent = ((await this.#state.read(recentFile)) ?? []).slice(0, maxRecent)
    this.#onRecent(this.recent())
  }

  register(path: string): { token: string; name: string } {
    const full = resolve(path)
    const known = [...this.#paths].find(([, other]) => other === full)
    const token = known?.[0] ?? randomUUID()
    this.#paths.set(token, full)
    return { token, name: basename(full) }
  }

  /** A file or folder the person chose. What is not there counts as a file: opening it says what is wrong. */
  async choose(path: string): Promise<ChosenFile> {
    const isFolder = await stat(path).then(
      (facts) => facts.isDirectory(),
      () => false,
    )
    if (isFolder) return { ...this.register(path), kind: 'folder' }
    return { ...this.register(path), kind: (await isRunFile(path)) ? 'run' : kindOf(path) }
  }

  /** @throws LabError for a token that was never given out. */
  path(token: string): string {
    const path = this.#paths.get(token)
    if (path !== undefined) return path
    throw new LabError('input', 'file.unknown', t('desktop.thisFileIsNoLongerKnown'))
  }

  recent(): readonly RecentFile[] {
    return this.#recent.map((path) => ({
      ...this.register(path),
      folder: dirname(path),
      kind: kindOf(path),
    }))
  }

  samples(): readonly SampleFile[] {
    return samples.map(({ name, description }) => {
      const { token } = this.register(join(samplesFolder(), name))
      return { token, name, description }
    })
  }

  /** Puts a file that was opened on top of the list; samples are always at hand and need no place there. */
  remember(path: string): void {
    if (dirname(path) === samplesFolder()) return
    this.#keep([path, ...this.#recent.filter((other) => other !== path)].slice(0, maxRecent))
  }

  forgetRecent(): void {
    this.#keep([])
  }

  #keep(recent: readonly string[]): void {
    this.#recent = recent
    this.#state.write(recentFile, recent)
    this.#onRecent(this.recent())
  }
}

function kindOf(path: string): 'file' | 'session' {
  return path.toLowerCase().endsWith(sessionEnding) ? 'session' : 'file'
}

/** Its format stands in the first line or two. */
const headBytes = 1024

/** A JSON that says of itself that it is a run of ours. */
async function isRunFile(path: string): Promise<boolean> {
  if (extname(path).toLowerCase() !== '.json') return false
  const file = await open(path).catch(() => null)
  try {
    const { buffer, bytesRead } = (await file?.read(Buffer.alloc(headBytes), 0, headBytes, 0)) ?? {
      ...{ buffer: Buffer.alloc(0), bytesRead: 0 },
    }
    return buffer.toString('utf8', 0, bytesRead).includes(`"format": "${runFormat.format}"`)
  } catch {
    return false
  } finally {
    await file?.close()
  }
}
