import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Spool } from '@engine/host/spool'
import { exported, rows, wasExported } from './work'

/** Finished runs that the person has seen: by their ids, as they lie on the disk. */
export class Finished {
  readonly #ids = new Set<string>()
  readonly #folder: string

  constructor(private readonly home: string) {
    this.#folder = join(home, 'user', 'results')
  }

  get count(): number {
    return this.#ids.size
  }

  /** A run is done on the screen: what lies on the disk now must never go. */
  note(): void {
    for (const name of this.#names('.run')) this.#ids.add(name.slice(0, -'.run'.length))
  }

  /** @throws Error that names what is lost or half there */
  async check(): Promise<void> {
    const spool = new Spool(this.#folder)
    for (const id of this.#ids) {
      const run = await spool.load(id)
      if (run?.labels.length !== rows) throw new Error(`the finished run ${id} is lost`)
    }
    requireWholeFiles(join(this.home, 'user'))
    requireWholeExport(this.home)
  }

  #names(ending: string): readonly string[] {
    try {
      return readdirSync(this.#folder).filter((name) => name.endsWith(ending))
    } catch {
      return []
    }
  }
}

/** State files are whole at every moment, whenever somebody looks. */
function requireWholeFiles(folder: string): void {
  for (const name of readdirSync(folder).filter((each) => each.endsWith('.json'))) {
    try {
      JSON.parse(readFileSync(join(folder, name), 'utf8'))
    } catch (error) {
      throw new Error(`${name} is half written: ${String(error)}`, { cause: error })
    }
  }
  const aside = readdirSync(folder).filter((name) => name.endsWith('.damaged'))
  if (aside.length > 0) throw new Error(`${aside.join(', ')} was found damaged`)
}

/** An export is there whole, or not at all. */
function requireWholeExport(home: string): void {
  if (!wasExported(home)) return
  const text = readFileSync(join(home, exported), 'latin1')
  const lines = text.split('\n').length - 1
  if (lines !== rows + 1 || !text.endsWith('\n')) throw new Error(`${exported} has ${lines} lines`)
}

/** What a start before left half written is gone when the next one works. @throws Error that names it */
export function requireNothingLeft(home: string): void {
  const user = join(home, 'user')
  const results = readdirSync(user).includes('results') ? readdirSync(join(user, 'results')) : []
  const left = [...readdirSync(user), ...results].filter((name) =>
    /\.json\.new$|\.(run|facts)\.new$/.test(name),
  )
  if (left.length > 0) throw new Error(`left behind: ${left.join(', ')}`)
}
