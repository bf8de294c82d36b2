import { renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { copyParts } from './package-files.mjs'
import { sourceDate, version } from './package-tools.mjs'
import { at } from './project.mjs'
import { capture } from './run.mjs'

/**
 * Packs a tree as one folder that works where it is unpacked.
 * @param {string} tree taken apart: it is renamed
 * @param {string} out folder of the archive
 * @returns {Promise<string>} the archive
 */
export async function makeTar(tree, out) {
  const name = `centroid-lab-${version()}-linux-x64`
  const archive = join(out, `${name}.tar.gz`)
  const folder = join(dirname(tree), name)
  rmSync(folder, { recursive: true, force: true })
  renameSync(tree, folder)
  copyParts([{ from: at('build', 'linux', 'README.txt'), to: 'README.txt' }], folder)
  const order = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner', `--mtime=@${sourceDate()}`]
  await capture('tar', [...order, '-C', dirname(folder), '-I', 'gzip -n', '-cf', archive, name], {
    failure: `tar could not write ${archive}; see the lines above.`,
  })
  return archive
}
