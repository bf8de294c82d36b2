import { existsSync, readFileSync, readdirSync, readlinkSync, statSync } from 'node:fs'
import { join } from 'node:path'

const home = '/usr/lib/centroid-lab'
/** The package manager's own notes, and caches that other packages keep for everybody. */
const systems =
  /^(?:var\/(?:log|cache|lib\/(?:dpkg|apt))\/|usr\/share\/(?:applications\/mimeinfo|icons\/hicolor\/icon-theme)\.cache$)/
/** What is not the disk's, and what is the user's. */
const outside = new Set(['proc', 'sys', 'dev', 'tmp', 'run', 'home'])

/** @typedef {import('./machine.mjs').Machine} Machine */

/** Findings, told as they come. */
export class Findings {
  failed = 0

  /**
   * @param {string} what true of a good package
   * @param {unknown} held
   * @param {unknown} [seen] told when it does not hold
   */
  check(what, held, seen) {
    console.log(`${held ? 'ok    ' : 'FAILED'} ${what}`)
    if (held) return
    this.failed += 1
    console.log(
      `       ${String(seen ?? 'not so')
        .trim()
        .slice(-600)
        .replaceAll('\n', '\n       ')}`,
    )
  }
}

/**
 * The package as it lies installed.
 * @param {Machine} machine
 * @param {Findings} findings
 */
export function checkInstalled(machine, findings) {
  const helper = statSync(machine.at(`${home}/chrome-sandbox`))
  findings.check(
    'the sandbox helper belongs to root and is set-user-id',
    helper.uid === 0 && (helper.mode & 0o7777) === 0o4755,
    helper.mode.toString(8),
  )
  const types = readFileSync(machine.at('/usr/share/applications/mimeinfo.cache'), 'utf8')
  findings.check(
    'the desktop offers it for CSV files',
    /^text\/csv=.*centroid-lab\.desktop/m.test(types),
    types,
  )
  findings.check(
    'and for sessions, whose file type it brings',
    /^application\/x-centroid-lab-session=.*centroid-lab\.desktop/m.test(types) &&
      existsSync(machine.at('/usr/share/mime/packages/centroid-lab.xml')),
    types,
  )
  const globs = machine.at('/usr/share/mime/globs2')
  const known = existsSync(globs) ? readFileSync(globs, 'utf8') : 'there is no /usr/share/mime/globs2'
  findings.check(
    '*.clab is known to be one, so that a double click opens it',
    known.includes(':application/x-centroid-lab-session:*.clab'),
    known.slice(0, 200),
  )
  const words = [
    ['bash', '/usr/share/bash-completion/completions/centroid-lab'],
    ['zsh', '/usr/share/zsh/vendor-completions/_centroid-lab'],
    ['fish', '/usr/share/fish/vendor_completions.d/centroid-lab.fish'],
  ]
  for (const [shell, path] of words) {
    const text = existsSync(machine.at(path)) ? readFileSync(machine.at(path), 'utf8') : ''
    findings.check(
      `${shell} completes its commands`,
      text.includes('predict') && text.includes('verify'),
      path,
    )
  }
  const mpi = machine.at(`${home}/resources/engine/.native/centroid_mpi.node`)
  const libraries = machine.asRoot(['sh', '-c', 'ldconfig -p | grep -c libmpi.so || true']).stdout.trim()
  // What follows runs without MPI in this tree: the addon is loaded by who starts it with mpirun, and by nobody else.
  findings.check(
    'the addon for several processes lies there, and no MPI',
    existsSync(mpi) && libraries === '0',
    `${mpi}, ${libraries} libraries`,
  )
  const programs = `find ${home} -type f \\( -name '*.so*' -o -name '*.node' -o -name node -o -name '*-window' \\) ! -name centroid_mpi.node -exec ldd {} +`
  const missing = machine.asRoot(['sh', '-c', `${programs} | grep -e 'not found' -e '^/'`]).stdout
  const lines = missing.split('\n').filter((line) => line.includes('not found'))
  findings.check(
    'every library of every program is found',
    missing.includes('/node') && lines.length === 0,
    lines.join('\n'),
  )
  const writable = machine.asRoot(['find', home, '-perm', '/022', '!', '-type', 'l']).stdout
  findings.check('nobody but root can change a file of it', writable === '', writable)
}

/**
 * The profile that lets the sandbox work where user namespaces are kept from programs: AppArmor knows such since version 4.
 * @param {Machine} machine
 * @param {Findings} findings
 */
export function checkProfile(machine, findings) {
  const version = Number(/version (\d+)/.exec(machine.asRoot(['apparmor_parser', '--version']).stdout)?.[1])
  const there = existsSync(machine.at('/etc/apparmor.d/centroid-lab'))
  findings.check(
    `AppArmor ${version} has ${version >= 4 ? 'the profile' : 'no profile'}`,
    there === version >= 4,
    there,
  )
}

/**
 * The command line, as an ordinary user with no display.
 * @param {Machine} machine
 * @param {Findings} findings
 */
export function checkCommandLine(machine, findings) {
  const iris = `${home}/resources/examples/iris.csv`
  for (const engine of ['cpu', 'webgpu']) {
    const settings = ['-k', '3', '--init', 'first-k', '--stop', 'labels', '--engine', engine, '--json']
    const { stdout, stderr } = machine.asUser([
      'centroid-lab',
      'cluster',
      iris,
      ...settings,
      '-o',
      `/tmp/results-${engine}`,
    ])
    /** @type {{inertia?: number, sizes?: number[]}} */
    const { inertia = 0, sizes } = parsed(stdout)
    findings.check(
      `centroid-lab cluster on ${engine} finds the clusters of iris`,
      inertia.toFixed(4) === '78.8557' && String(sizes) === '39,61,50',
      stdout + stderr,
    )
    const files = machine.asUser(['ls', `/tmp/results-${engine}`]).stdout
    findings.check('... and writes its results', files.includes('labels.csv'), files)
  }
  const bench = [
    'centroid-lab',
    'bench',
    iris,
    '-k',
    '3',
    '--variants',
    'fused',
    '--repeats',
    '1',
    '-o',
    '/tmp/times',
  ]
  const compared = machine.asUser(bench)
  const books = machine.asUser(['ls', '/tmp/times']).stdout
  findings.check(
    'centroid-lab bench writes a workbook',
    books.includes('timings.xlsx'),
    compared.stderr + books,
  )
  const engines = machine.asUser(['centroid-lab', 'engines'])
  findings.check(
    'centroid-lab engines says why there is no CUDA',
    /cuda: not available\. [^\n]*NVIDIA[^\n]+: choose/.test(engines.stdout),
    engines.stdout,
  )
  const bare = machine.asUser(['centroid-lab'])
  findings.check(
    'centroid-lab alone asks for a command, in one sentence',
    bare.status === 2 && /^[^\n]+\.\n$/.test(bare.stderr),
    bare.stderr,
  )
  const page = machine.asUser(['sh', '-c', 'gzip -cd /usr/share/man/man1/centroid-lab.1.gz'])
  findings.check('there is a manual page', page.stdout.includes('.SH SYNOPSIS'), page.stderr)
}

/** @param {string} text */
function parsed(text) {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}

/**
 * Chromium's sandbox around the page that is open.
 * @param {number} pid of the window
 * @param {Findings} findings
 */
export function checkSandbox(pid, findings) {
  const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  findings.check('the window runs without --no-sandbox', !command.includes('no-sandbox'), command)
  const pages = readdirSync('/proc').filter((entry) => /^\d+$/.test(entry) && isPage(entry))
  const status = pages.map((page) => readFileSync(`/proc/${page}/status`, 'utf8')).join('\n')
  findings.check(
    'its page may make few system calls',
    pages.length > 0 && !/^Seccomp:\s+[01]$/m.test(status),
    status,
  )
  const spaces = pages.map((page) => readlinkSync(`/proc/${page}/ns/net`))
  findings.check(
    '... and lives in a network namespace of its own',
    spaces.length > 0 && !spaces.includes(readlinkSync(`/proc/${pid}/ns/net`)),
    spaces,
  )
}

/** @param {string} pid */
function isPage(pid) {
  try {
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
    return command.includes('centroid-lab-window') && command.includes('--type=renderer')
  } catch {
    return false
  }
}

/**
 * Every path of the tree but the user's and what is mounted.
 * @param {string} tree
 * @returns {Set<string>}
 */
export function listing(tree) {
  const tops = readdirSync(tree).filter((name) => !outside.has(name))
  const below = tops.flatMap((top) =>
    statSync(join(tree, top)).isDirectory()
      ? readdirSync(join(tree, top), { recursive: true }).map((path) => join(top, String(path)))
      : [],
  )
  return new Set([...tops, ...below].filter((path) => !systems.test(path)))
}

/**
 * @param {Set<string>} before listing
 * @param {Set<string>} after
 * @param {Findings} findings
 */
export function checkRemoved(before, after, findings) {
  const left = [...after].filter((path) => !before.has(path))
  findings.check('removing it leaves nothing behind', left.length === 0, left.join('\n'))
  const gone = [...before].filter((path) => !after.has(path))
  findings.check('... and takes nothing else along', gone.length === 0, gone.join('\n'))
}
