import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { SetupFailure } from '../failure.mjs'

/** @typedef {{status: number, stdout: string, stderr: string}} Said */

/** Of the X server that was started. */
let display = ''
const sockets = '/tmp/.X11-unix'

/** A Debian tree that programs run in as if it were the machine. All mounts end with the namespace that this runs in. */
export class Machine {
  /** @param {string} tree */
  constructor(tree) {
    this.tree = tree
    this.user = 'lab'
  }

  /** Mounts what a running system has, and makes the ordinary user. */
  start() {
    must('mount', ['--make-rprivate', '/'])
    must('mount', ['-t', 'proc', 'proc', this.at('proc')])
    must('mount', ['--rbind', '/dev', this.at('dev')])
    mkdirSync(sockets, { recursive: true })
    chmodSync(sockets, 0o1777)
    mkdirSync(this.at(sockets), { recursive: true })
    must('mount', ['--bind', sockets, this.at(sockets)])
    must('chroot', [this.tree, 'useradd', '-m', this.user])
  }

  /** @param {string} path inside */
  at(path) {
    return join(this.tree, path)
  }

  /**
   * Runs a command as root, who has no display.
   * @param {readonly string[]} words
   * @returns {Said}
   */
  asRoot(words) {
    return said(['chroot', this.tree, ...environment('/root'), 'DEBIAN_FRONTEND=noninteractive', ...words])
  }

  /**
   * Runs a command as the ordinary user, without a display.
   * @param {readonly string[]} words
   * @returns {Said}
   */
  asUser(words) {
    return said([...this.#asUser(), ...words])
  }

  /**
   * Starts a program of the ordinary user's on a display.
   * @param {readonly string[]} words
   */
  show(words) {
    const [program, ...rest] = [...this.#asUser(), `DISPLAY=${display}`, ...words]
    return spawn(program, rest, { stdio: ['ignore', 'ignore', 'pipe'] })
  }

  #asUser() {
    const home = `/home/${this.user}`
    return ['chroot', `--userspec=${this.user}:${this.user}`, this.tree, ...environment(home)]
  }
}

/** @param {string} home */
function environment(home) {
  return ['env', '-i', `HOME=${home}`, 'PATH=/usr/sbin:/usr/bin:/sbin:/bin', 'LANG=C.UTF-8']
}

/** A display that nobody has, reached through a socket file: abstract ones belong to the network namespace. */
export async function startDisplay() {
  const options = ['-displayfd', '3', '-screen', '0', '1400x900x24', '-nolisten', 'tcp', '-ac']
  const server = spawn('Xvfb', options, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] })
  /** @type {string | null} the number that the server took, told when it is ready */
  const taken = await new Promise((resolve) => {
    server.stdio[3]?.once('data', (/** @type {Buffer} */ line) => resolve(String(line).trim()))
    server.once('error', () => resolve(null))
    server.once('exit', () => resolve(null))
  })
  if (taken === null) throw new SetupFailure('Xvfb could not open a display; run it by hand to see why.')
  display = `:${taken}`
  return server
}

/**
 * Keys and windows of that display.
 * @param {readonly string[]} words
 * @returns {Said}
 */
export function xdotool(words) {
  return said(['env', `DISPLAY=${display}`, 'xdotool', ...words])
}

/**
 * @param {readonly string[]} words
 * @returns {Said}
 */
function said([program, ...args]) {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', timeout: 300_000 })
  return { status: status ?? 1, stdout, stderr }
}

/**
 * @param {string} program
 * @param {readonly string[]} args
 */
function must(program, args) {
  const { status, stderr } = said([program, ...args])
  if (status !== 0) throw new SetupFailure(`${program} ${args.join(' ')} failed: ${stderr.trim()}`)
}
