import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { smallDisk, wayOfSmallDisks, type SmallDisk } from './disk'
import { bytesOf, command, filesOf, type Ended, type Files, type Way } from './program'

/** What a command writes where nothing stands in its way. */
export interface Whole {
  readonly folder: string
  readonly files: Files
  readonly bytes: number
  readonly ended: Ended
}

/** One point: what is wrong with how it went, or null. */
export type Point = (world: World) => Promise<string | null>

/** What all points share: a data file, chance, and what commands write on a disk with room. */
export class World {
  readonly home = mkdtempSync(join(tmpdir(), 'centroid-lab-full-'))
  readonly data = join(this.home, 'data.csv')
  readonly way = wayOfSmallDisks()
  readonly random: () => number
  /** How often commands ended with each status: points that all go well would show nothing. */
  readonly statuses: Record<string, number> = {}
  readonly #temporary = join(this.home, 'temporary')
  readonly #wholes = new Map<string, Whole>()

  private constructor(seed: number) {
    this.random = randomOf(seed)
    mkdirSync(this.#temporary)
  }

  static async of(seed: number, rows: number): Promise<World> {
    const world = new World(seed)
    const { data } = world
    const blobs = ['-d', '3', '-k', '5', '--seed', '3']
    await command(['generate', 'blobs', '-n', String(rows), ...blobs, '-o', data])
    return world
  }

  /** @throws Error when something stays in the folder for temporary files */
  async run(args: readonly string[], way: Omit<Way, 'temporary'> = {}): Promise<Ended> {
    const ended = await command(args, { ...way, temporary: this.#temporary })
    const status = String(ended.status)
    this.statuses[status] = (this.statuses[status] ?? 0) + 1
    const left = readdirSync(this.#temporary)
    if (left.length === 0) return ended
    rmSync(this.#temporary, { recursive: true })
    mkdirSync(this.#temporary)
    throw new Error(`${left.join(', ')} stays in the folder for temporary files`)
  }

  /** @param args of a command whose last option is `-o`, without its value @param name of the file or folder it writes */
  async whole(args: readonly string[], name: string): Promise<Whole> {
    const key = [...args, name].join(' ')
    const known = this.#wholes.get(key)
    if (known !== undefined) return known
    const folder = this.folder('whole')
    const ended = await this.run([...args, join(folder, name)])
    if (ended.status !== 0) throw new Error(`${key} failed: ${ended.stderr}`)
    const whole = { folder, files: filesOf(folder), bytes: bytesOf(folder), ended }
    this.#wholes.set(key, whole)
    return whole
  }

  folder(name: string): string {
    return mkdtempSync(join(this.home, `${name}-`))
  }

  /** @param bytes that may be written on it, in whole pages */
  async onDisk<T>(bytes: number, work: (disk: SmallDisk) => Promise<T>): Promise<T> {
    const disk = smallDisk(this.way, Math.floor(bytes))
    try {
      return await work(disk)
    } finally {
      disk.close()
    }
  }

  oneOf<T>(list: readonly T[]): T {
    return list[Math.floor(this.random() * list.length)]
  }

  close(): void {
    rmSync(this.home, { recursive: true, force: true })
  }
}

/** Mulberry32: the points of a seed are the same everywhere. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}
