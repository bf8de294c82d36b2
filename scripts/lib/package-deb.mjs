import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { execFileSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { filesBelow, copyParts } from './package-files.mjs'
import { desktopIcons } from './package-icons.mjs'
import { licencesText, sandboxHelper } from './package-layout.mjs'
import { neededLibc, sourceDate, version } from './package-tools.mjs'
import { at, paths } from './project.mjs'
import { capture } from './run.mjs'

/** Chromium's sandbox helper works as root until it has made the sandbox. */
const setUserId = 0o4755
const home = 'usr/lib/centroid-lab'
/** Who LICENSE names. They have no mailbox, and under .invalid there can be none (RFC 2606). */
const maintainer = 'The Centroid Lab authors <authors@centroid-lab.invalid>'

/** What the window needs besides what its own folder holds, libx11-xcb1 by name at run time; newer releases carry some as t64. */
const libraries = [
  'libgtk-3-0 | libgtk-3-0t64',
  'libnss3',
  'libasound2 | libasound2t64',
  'libgbm1',
  'libx11-xcb1',
]

/**
 * Packs a tree as a Debian package.
 * @param {string} tree
 * @param {string} out folder of the package
 * @returns {Promise<string>} the package
 */
export async function makeDeb(tree, out) {
  const root = join(dirname(tree), 'deb')
  const file = join(out, `centroid-lab_${version()}_amd64.deb`)
  rmSync(root, { recursive: true, force: true })
  mkdirSync(join(root, dirname(home)), { recursive: true })
  cpSync(tree, join(root, home), { recursive: true })
  copyParts(systemParts(), root)
  mkdirSync(join(root, 'usr/bin'), { recursive: true })
  symlinkSync('../lib/centroid-lab/bin/centroid-lab', join(root, 'usr/bin/centroid-lab'))
  copyParts(controlParts(root), root)
  await capture('chmod', ['-R', 'u=rwX,go=rX', root], { failure: `The modes of ${root} could not be set.` })
  chmodSync(join(root, home, sandboxHelper), setUserId)
  await capture('dpkg-deb', ['--root-owner-group', '-Zzstd', '-z12', '--build', root, file], {
    env: { ...process.env, SOURCE_DATE_EPOCH: sourceDate() },
    failure: `dpkg-deb could not write ${file}; see the lines above.`,
  })
  return file
}

/** What desktops, `man` and Debian look for outside the program's folder. */
function systemParts() {
  const linux = (/** @type {string} */ name) => at('build', 'linux', name)
  const packed = (/** @type {string} */ path) => gzipSync(readFileSync(path), { level: 9 })
  const documents = 'usr/share/doc/centroid-lab'
  return [
    { from: linux('centroid-lab.desktop'), to: 'usr/share/applications/centroid-lab.desktop' },
    // Sessions open by a double click.
    { from: linux('centroid-lab.xml'), to: 'usr/share/mime/packages/centroid-lab.xml' },
    { from: gzipSync(printed('manual'), { level: 9 }), to: 'usr/share/man/man1/centroid-lab.1.gz' },
    ...completions.map(([shell, to]) => ({ from: printed('completions', shell), to })),
    { from: Buffer.from(licencesText()), to: `${documents}/copyright` },
    { from: packed(at('CHANGELOG.md')), to: `${documents}/CHANGELOG.md.gz` },
    { from: gzipSync(debianChangelog(), { level: 9 }), to: `${documents}/changelog.gz` },
    ...desktopIcons().map(({ from, to }) => ({ from, to: `usr/share/icons/hicolor/${to}` })),
  ]
}

/** Where the shells of Debian look for completions. */
const completions = [
  ['bash', 'usr/share/bash-completion/completions/centroid-lab'],
  ['zsh', 'usr/share/zsh/vendor-completions/_centroid-lab'],
  ['fish', 'usr/share/fish/vendor_completions.d/centroid-lab.fish'],
]

/**
 * What the built command line prints.
 * @param {readonly string[]} args
 */
function printed(...args) {
  return execFileSync(paths.pinnedNode, [join(paths.out, 'main', 'cli.js'), ...args])
}

/** In the form that Debian reads; what changed stands in the program's own. */
function debianChangelog() {
  const date = new Date(Number(sourceDate()) * 1000).toUTCString().replace('GMT', '+0000')
  return `centroid-lab (${version()}) unstable; urgency=medium\n\n  * See CHANGELOG.md.gz.\n\n -- ${maintainer}  ${date}\n`
}

/** @param {string} root */
function controlParts(root) {
  const script = (/** @type {string} */ name) => ({
    from: at('build', 'linux', name),
    to: `DEBIAN/${name}`,
    mode: 0o755,
  })
  return [{ from: Buffer.from(control(root)), to: 'DEBIAN/control' }, script('postinst'), script('prerm')]
}

/**
 * The description that apt shows.
 * @param {string} root
 */
export function control(root) {
  const bytes = filesBelow(root).reduce(
    (sum, file) => sum + (statSync(join(root, file), { throwIfNoEntry: false })?.size ?? 0),
    0,
  )
  const depends = [`libc6 (>= ${neededLibc(join(root, home))})`, 'libstdc++6 (>= 12)', ...libraries]
  return [
    'Package: centroid-lab',
    `Version: ${version()}`,
    'Architecture: amd64',
    `Maintainer: ${maintainer}`,
    'Section: science',
    'Priority: optional',
    `Installed-Size: ${Math.ceil(bytes / 1024)}`,
    `Depends: ${depends.join(', ')}`,
    // Without it the window is drawn by the processor. What is recommended would have to be fetched: no install without a network.
    'Suggests: libgl1, openmpi-bin',
    'Description: exact k-means clustering of tables, with execution times',
    ' Drop a CSV on the window, choose k and a variant, watch the clusters and the',
    ' inertia, and export centroids, labelled data, history and a record that repeats',
    ' the run. Computes on the CPU, on NVIDIA cards and through WebGPU. The command',
    ' line needs neither a display nor a network; nothing here ever uses one.',
    '',
  ].join('\n')
}
