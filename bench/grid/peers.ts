import { execFileSync, spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Blobs } from '../blobs'
import program from './peer.py?raw'

/** Systems outside this project that the grid compares with. */
export const peerIds = ['scikit-learn', 'flash-kmeans'] as const
export type PeerId = (typeof peerIds)[number]

/** Milliseconds of one iteration, and how many were made: fewer than asked for where labels stood still. */
export interface PeerTime {
  readonly ms: number
  readonly iterations: number
}

interface Answer extends Partial<PeerTime> {
  readonly error?: string
}

/** Any python3 of the path that has the package. */
function pythonWith(module: string, folder: string): string | null {
  const found = (command: string) => {
    try {
      const look = `import sys; sys.path.insert(0, sys.argv[1]); import ${module}`
      execFileSync(command, ['-c', look, folder], { stdio: 'ignore' })
      return true
    } catch {
      return false
    }
  }
  const given = process.env['CENTROID_LAB_PYTHON']
  const commands = given === undefined ? ['python3', '/usr/bin/python3'] : [given]
  return commands.find(found) ?? null
}

/** One system in a process of its own, which holds the data of one cell at a time. */
export class Peer {
  readonly id: PeerId
  readonly #child: ChildProcessWithoutNullStreams
  readonly #lines: AsyncIterator<string>
  readonly #folder: string

  private constructor(id: PeerId, child: ChildProcessWithoutNullStreams, folder: string) {
    this.id = id
    this.#child = child
    this.#folder = folder
    this.#lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  }

  /**
   * @param library where the package flash_kmeans lies; any folder for scikit-learn
   * @param folder for the points, which lie in files between the two
   * @returns the system, or why it is not here
   */
  static async open(id: PeerId, library: string, folder: string): Promise<Peer | string> {
    const python = pythonWith(id === 'scikit-learn' ? 'sklearn.cluster' : 'flash_kmeans', library)
    if (python === null) return `no python3 here has ${id}`
    const child = spawn(python, ['-c', program, id, library])
    child.stderr.resume()
    const peer = new Peer(id, child, folder)
    const { error } = await peer.#answer()
    return error ?? peer
  }

  /** Hands over the data of a cell. @throws with what the system says */
  async take({ points, centroids }: Blobs): Promise<void> {
    const [pointsFile, centroidsFile] = [join(this.#folder, 'points'), join(this.#folder, 'centroids')]
    const bytes = ({ buffer, byteOffset, byteLength }: Float32Array) =>
      new Uint8Array(buffer, byteOffset, byteLength)
    writeFileSync(pointsFile, bytes(points.x))
    writeFileSync(centroidsFile, bytes(centroids))
    const { n, d } = points
    await this.#ask({ points: pointsFile, centroids: centroidsFile, n, d, k: centroids.length / d })
  }

  /** @throws with what the system says */
  async measure(iterations: number): Promise<PeerTime> {
    const { ms, iterations: made } = await this.#ask({ iterations })
    if (ms === undefined || made === undefined) throw new Error(`${this.id} gave no time`)
    return { ms, iterations: made }
  }

  close(): void {
    this.#child.kill()
  }

  async #ask(job: object): Promise<Answer> {
    this.#child.stdin.write(`${JSON.stringify(job)}\n`)
    const answer = await this.#answer()
    if (answer.error !== undefined) throw new Error(`${this.id}: ${answer.error}`)
    return answer
  }

  async #answer(): Promise<Answer> {
    const { value, done } = await this.#lines.next()
    return done === true ? { error: 'its process ended' } : (JSON.parse(value) as Answer)
  }
}
