import { languages } from '@shared/locale/languages'
import { invalidArgument } from '@shared/errors'
import { refuseOtherDistance } from '@shared/distance'
import { exportDialects, type TextChoice } from '@shared/text-choice'
import { defaultRunConfig, initMethods, type RunConfig } from '@shared/run-config'
import { maxWorkers } from '@shared/workers'
import { oneOf, someText, wholeNumber } from './values'

/** Options that were given, read by name. */
export class Given {
  readonly #values: ReadonlyMap<string, string>

  constructor(values: ReadonlyMap<string, string>) {
    this.#values = values
  }

  has(name: string): boolean {
    return this.#values.has(name)
  }

  value<T>(name: string, read: (text: string) => T): T | undefined {
    const text = this.#values.get(name)
    return text === undefined ? undefined : read(text)
  }

  word<T extends string>(name: string, words: readonly T[]): T | undefined {
    return this.value(name, (text) => oneOf(text, `--${name}`, words))
  }

  whole(name: string, least: number): number | undefined {
    return this.value(name, (text) => wholeNumber(text, name === 'k' ? '-k' : `--${name}`, least))
  }

  text(name: string, what: string): string | undefined {
    return this.value(name, (text) => someText(text, `--${name}`, what))
  }
}

/** @throws LabError beyond what the kernels hold for. */
export function givenWorkers(given: Given): number | undefined {
  const workers = given.whole('workers', 1)
  if (workers === undefined || workers <= maxWorkers) return workers
  throw invalidArgument(`a whole number from 1 to ${maxWorkers}`, '--workers', workers)
}

/** @throws LabError `input` for any distance but the Euclidean one. */
export function refuseDistances(given: Given): void {
  for (const name of ['distance', 'metric']) {
    given.value(name, (text) => refuseOtherDistance(`--${name}`, text))
  }
}

/** How the tables of `-o` are written. */
export function textChoice(given: Given): TextChoice {
  const language = given.word('language', languages)
  return {
    dialect: given.word('dialect', exportDialects) ?? 'comma',
    neutralise: given.has('neutralise-formulas'),
    ...(language !== undefined && { language }),
  }
}

/** `--centroids FILE` is enough to mean `--init file`; the one without the other cannot work. */
export function seeding(given: Given): Pick<RunConfig, 'init' | 'centroidsFile'> {
  const centroidsFile = given.text('centroids', 'a file') ?? null
  const asked = given.word('init', initMethods)
  if (asked === 'file' && centroidsFile === null) {
    throw invalidArgument('a file with --init file', '--centroids', null)
  }
  if (asked !== undefined && asked !== 'file' && centroidsFile !== null) {
    throw invalidArgument('file together with --centroids', '--init', asked)
  }
  return { init: centroidsFile === null ? (asked ?? defaultRunConfig.init) : 'file', centroidsFile }
}
