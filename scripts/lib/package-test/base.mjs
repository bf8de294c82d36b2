import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { isStamped, stamp } from '../fingerprint.mjs'
import { at } from '../project.mjs'
import { capture } from '../run.mjs'

/** A Debian that people have; no desktop of it: what the package does not ask for is not there. */
export const usualRelease = 'bookworm'
/** What keeps the menus of every desktop, without which nobody would notice an entry, and what guards it. */
const desktop = ['desktop-file-utils', 'apparmor']
const needed = ['debootstrap', 'chroot', 'unshare', 'ip', 'Xvfb', 'xdotool', 'dpkg-deb']

/**
 * Why the test cannot be run here, in one sentence; null when it can.
 * @returns {string | null}
 */
export function hindrance() {
  if (process.platform !== 'linux') return 'it installs a Debian package, and this is no Linux'
  if (process.getuid?.() !== 0) return 'it makes a Debian tree and a network namespace, which takes root'
  const missing = needed.filter((name) => spawnSync('which', [name]).status !== 0)
  return missing.length === 0
    ? null
    : `${missing.join(', ')} not found (apt-get install debootstrap iproute2 xvfb xdotool)`
}

/**
 * A bare Debian with the dependencies that the package names, and nothing else; made once, with a network.
 * @param {string} deb
 * @param {string} release of Debian
 * @returns {Promise<string>} its folder
 */
export async function makeBase(deb, release) {
  const folder = at('.native', 'package-test', release)
  const stampFile = `${folder}.stamp`
  const depends = await dependencies(deb)
  const wanted = [release, ...depends, ...desktop].join(' ')
  if (existsSync(folder) && isStamped(stampFile, wanted)) return folder
  const partial = `${folder}.partial`
  for (const old of [folder, partial]) rmSync(old, { recursive: true, force: true })
  mkdirSync(partial, { recursive: true })
  console.error('package test: makes a bare Debian with the dependencies of the package, once ...')
  await capture('debootstrap', ['--variant=minbase', release, partial], {
    failure: 'debootstrap could not make a bare Debian; see the lines above (it needs a mirror, this once).',
  })
  const apt = ['apt-get', '-q', '-y', '--no-install-recommends', 'install', ...depends, ...desktop]
  await capture('chroot', [partial, 'env', 'DEBIAN_FRONTEND=noninteractive', ...apt], {
    failure:
      'apt-get could not install the dependencies of the package into the bare Debian; see the lines above.',
  })
  renameSync(partial, folder)
  stamp(stampFile, wanted)
  return folder
}

/**
 * First choice of each dependency that the package names.
 * @param {string} deb
 */
async function dependencies(deb) {
  const text = await capture('dpkg-deb', ['-f', deb, 'Depends'], { failure: `${deb} is no Debian package.` })
  return text.split(',').map((one) =>
    one
      .split('|')[0]
      .replace(/\(.*\)/, '')
      .trim(),
  )
}

/**
 * A copy to work in, as nobody has touched it.
 * @param {string} base
 */
export async function freshTree(base) {
  const tree = join(base, '..', 'tree')
  rmSync(tree, { recursive: true, force: true })
  await capture('cp', ['-a', base, tree], { failure: `${base} could not be copied.` })
  return tree
}
