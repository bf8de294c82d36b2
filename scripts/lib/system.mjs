import { existsSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
import { SetupFailure } from './failure.mjs'
import { capture } from './run.mjs'

/** Debian packages by what needs them. */
export const systemPackages = {
  window: ['libgtk-3-0', 'libnss3', 'libasound2', 'libgbm1', 'libx11-xcb1'],
  // A display of their own for tests, a Python that reads the models that are written, and runs of several processes.
  headless: ['xvfb', 'xauth', 'python3-numpy', 'openmpi-bin', 'libopenmpi-dev'],
  build: ['g++', 'cmake', 'make', 'libtbb-dev', 'libeigen3-dev', 'libfast-float-dev'],
}

/**
 * A step that sees to Debian packages. Root gets them installed; anybody else gets the line to ask for.
 * @param {ReadonlyArray<keyof typeof systemPackages>} groups what the command at hand needs
 * @param {(wanted: readonly string[]) => string[]} [find] which of them are not there
 * @returns {import('./steps.mjs').Step}
 */
export function systemStep(groups, find = missing) {
  const wanted = groups.flatMap((group) => systemPackages[group])
  /** @type {string[]} */
  let lacking = []
  return {
    name: 'system packages',
    isDone: () => {
      lacking = find(wanted)
      return lacking.length === 0
    },
    run: async () => {
      if (process.getuid?.() !== 0)
        throw new SetupFailure(request(find(Object.values(systemPackages).flat())))
      await install(lacking)
      return lacking.join(' ')
    },
  }
}

/**
 * The wanted packages that dpkg does not know as installed; none on a system without dpkg, where only the
 * programs that need them can tell. Newer releases carry some under the same name with `t64` behind it.
 * @param {readonly string[]} wanted
 */
export function missing(wanted) {
  if (!existsSync('/usr/bin/dpkg-query')) return []
  const names = wanted.flatMap((name) => [name, `${name}t64`])
  const { stdout } = spawnSync('dpkg-query', ['-W', '-f=${Package} ${db:Status-Status}\n', ...names], {
    encoding: 'utf8',
  })
  const there = new Set(
    stdout
      .split('\n')
      .filter((line) => line.endsWith(' installed'))
      .map((line) => line.split(' ')[0]),
  )
  return wanted.filter((name) => !there.has(name) && !there.has(`${name}t64`))
}

/**
 * Names what every command needs, so that nobody has to ask twice.
 * @param {readonly string[]} names
 */
function request(names) {
  return `System packages are missing; ask for: sudo apt-get install --no-install-recommends ${names.join(' ')}`
}

/** @param {readonly string[]} names */
async function install(names) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const failure = `apt-get could not install ${names.join(' ')}; see the lines above, mend the package sources and run the command again.`
  await capture('apt-get', ['-q', 'update'], { env, failure })
  await capture('apt-get', ['-q', '-y', '--no-install-recommends', 'install', ...names], { env, failure })
}
