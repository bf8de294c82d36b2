import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { Points } from '@engine/engines/engine'

const run = promisify(execFile)
const maxOutput = 2 ** 26

/** Textbook programs of this folder. */
export const textbookIds = ['pairs', 'rescan'] as const
export type TextbookId = (typeof textbookIds)[number]

/** As a reader of the studies would compile them: for any x86-64. */
export const compiler = 'g++'
export const flags = ['-O3', '-std=c++17'] as const

/** Iterations from given centroids. */
export interface TextbookResult {
  /** Of processor time: all that is compared has one thread, so that what else the machine does counts as little as may be. */
  readonly msPerIteration: number
  /** (k, d), in the precision of the program. */
  readonly centroids: Float64Array
}

/** The programs, compiled into a folder, and their inputs beside them. */
export class Textbook {
  readonly #folder: string

  private constructor(folder: string) {
    this.#folder = folder
  }

  /** @throws where g++ is missing or refuses a program, with what it says. */
  static async compile(folder: string): Promise<Textbook> {
    await mkdir(folder, { recursive: true })
    for (const id of textbookIds) {
      await run(compiler, [...flags, '-o', join(folder, id), join(sources(), `${id}.cpp`)])
    }
    return new Textbook(folder)
  }

  /** Writes points (n, d) and centroids (k, d) for the runs that follow. */
  async give(points: Points, centroids: Float32Array): Promise<TextbookInput> {
    const { x, n, d } = points
    await writeFile(join(this.#folder, 'points'), bytesOf(x))
    await writeFile(join(this.#folder, 'centroids'), bytesOf(centroids))
    return { n, d, k: centroids.length / d }
  }

  /** @throws where the program ends with another status than 0, with what it says. */
  async run(id: TextbookId, { n, d, k }: TextbookInput, iterations: number): Promise<TextbookResult> {
    const input = [join(this.#folder, 'points'), n, d, join(this.#folder, 'centroids'), k, iterations]
    const { stdout } = await run(join(this.#folder, id), input.map(String), { maxBuffer: maxOutput })
    const answer = JSON.parse(stdout) as { ms_per_iteration: number; centroids: number[] }
    return { msPerIteration: answer.ms_per_iteration, centroids: Float64Array.from(answer.centroids) }
  }
}

export interface TextbookInput {
  readonly n: number
  readonly d: number
  readonly k: number
}

/** First line of what the compiler says of itself. */
export async function compilerVersion(): Promise<string> {
  return (await run(compiler, ['--version'])).stdout.split('\n')[0]
}

function bytesOf(values: Float32Array): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength)
}

/** This folder in the checkout, wherever below it this module was bundled to. */
function sources(): string {
  let folder = import.meta.dirname
  while (!existsSync(join(folder, 'bench', 'textbook', 'pairs.cpp'))) {
    const parent = dirname(folder)
    if (parent === folder)
      throw new Error('Expected the checkout around the program: bench/textbook is missing.')
    folder = parent
  }
  return join(folder, 'bench', 'textbook')
}
