import { isAbsolute, join } from 'node:path'
import { access, constants, realpath } from 'node:fs/promises'
import { answerOf } from './answer-of'
import type { OutsideReport } from '@shared/benchmark/requests'
import { outsideSystems, type OutsideSystem } from '@shared/benchmark/suite'

/** A Python and what it has: version of each baseline, null where its module cannot be imported. */
interface Interpreter {
  readonly path: string
  readonly versions: Readonly<Record<OutsideSystem, string | null>>
}

/** Module that holds the system, and the package that brings it in Debian's words. */
const homes: Readonly<Record<OutsideSystem, { readonly module: string; readonly debian: string }>> = {
  numpy: { module: 'numpy', debian: 'python3-numpy' },
  'scikit-learn': { module: 'sklearn', debian: 'python3-sklearn' },
  scipy: { module: 'scipy', debian: 'python3-scipy' },
}

/** Where Python may be although PATH names another one first, or none. */
const usualFolders = ['/usr/bin', '/usr/local/bin']
/** Nothing is imported, so that an answer takes well under a second; more means that something hangs. */
const probeMs = 5000

/** A look takes seconds, and a plan asks for each of its cells. */
const freshMs = 60_000

const probe = `
import importlib.metadata, importlib.util, json, sys
def version(name):
    module, package = name.split('=')
    try:
        if importlib.util.find_spec(module) is None: return None
    except Exception: return None
    try: return importlib.metadata.version(package)
    except Exception: return 'of unknown version'
print(json.dumps([version(name) for name in sys.argv[1:]]))`

/**
 * What a baseline sees of the environment: where programs and temporary files are. No PYTHON* variable, no limit on
 * threads, no home.
 */
export function cleanEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = ['PATH', 'TMPDIR', 'SYSTEMROOT'] as const
  const entries = kept.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]] as const]))
  return { ...Object.fromEntries(entries), LC_ALL: 'C.UTF-8' }
}

/** Which python3 runs which baseline; looked up when first needed, each python3 asked once. */
export class Interpreters {
  readonly #env: NodeJS.ProcessEnv
  readonly #folders: readonly string[]
  #found: Promise<readonly Interpreter[]> | null = null
  /** Paths of those that did not answer. */
  #hanging: readonly string[] = []
  #lookedAt = 0

  /** @param folders searched after those of PATH */
  constructor(env: NodeJS.ProcessEnv = process.env, folders: readonly string[] = usualFolders) {
    this.#env = env
    this.#folders = folders
  }

  /** Path of the first python3 that has the system, or one sentence: why there is none. */
  async find(
    system: OutsideSystem,
  ): Promise<{ readonly path: string; readonly version: string } | { readonly reason: string }> {
    const all = await (this.#found ??= this.#lookUp())
    for (const { path, versions } of all) {
      const version = versions[system]
      if (version !== null) return { path, version }
    }
    const { module, debian } = homes[system]
    const [hanging] = this.#hanging
    if (hanging !== undefined) {
      const reason = `${hanging} did not answer within ${probeMs / 1000} s and is left out: start it by hand to see why, or take it from the PATH.`
      return { reason }
    }
    const missing = all.length === 0 ? 'There is no python3 here' : `No python3 here has the module ${module}`
    return { reason: `${missing}: install ${debian} (its name in Debian) to compare with ${system}.` }
  }

  /** Looks again after a while: what was missing may have been installed since. */
  async reports(): Promise<readonly OutsideReport[]> {
    if (performance.now() - this.#lookedAt > freshMs) this.#found = null
    return Promise.all(
      outsideSystems.map(async (system) => {
        const found = await this.find(system)
        return 'path' in found
          ? { system, available: true, version: found.version, reason: null }
          : { system, available: false, version: null, reason: found.reason }
      }),
    )
  }

  async #lookUp(): Promise<readonly Interpreter[]> {
    this.#lookedAt = performance.now()
    const named = (this.#env['PATH'] ?? '').split(':').filter(isAbsolute)
    // /bin is /usr/bin on many systems. A python3 that is a link is asked all the same: a virtual environment's is one.
    const folders = new Set(await Promise.all([...named, ...this.#folders].map(realFolder)))
    const there = await Promise.all([...folders].map((folder) => executable(join(folder, 'python3'))))
    const paths = there.filter((path) => path !== null)
    const asked = await Promise.all(paths.map((path) => this.#ask(path)))
    this.#hanging = paths.filter((_, i) => asked[i] === 'hangs')
    return asked.filter((one) => one !== null && one !== 'hangs')
  }

  /** Null for a python3 that does not work. */
  async #ask(path: string): Promise<Interpreter | null | 'hangs'> {
    const modules = outsideSystems.map((system) => `${homes[system].module}=${system}`)
    const args = ['-I', '-c', probe, ...modules]
    const answer = await answerOf(path, args, { env: cleanEnvironment(this.#env), timeoutMs: probeMs })
    if (answer === 'hangs' || answer === null) return answer
    return interpreterOf(path, answer)
  }
}

function interpreterOf(path: string, stdout: string): Interpreter | null {
  try {
    const answered: unknown = JSON.parse(stdout)
    if (!Array.isArray(answered)) return null
    const version = (index: number) => (typeof answered[index] === 'string' ? answered[index] : null)
    const versions = { numpy: version(0), 'scikit-learn': version(1), scipy: version(2) }
    return { path, versions }
  } catch {
    return null
  }
}

async function realFolder(path: string): Promise<string> {
  return realpath(path).catch(() => path)
}

async function executable(path: string): Promise<string | null> {
  return access(path, constants.X_OK).then(
    () => path,
    () => null,
  )
}
