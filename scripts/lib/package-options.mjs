import { parseArgs } from 'node:util'
import { SetupFailure } from './failure.mjs'

/** @typedef {'all' | 'built' | 'none'} Cuda */
/** @typedef {{deb: boolean, tar: boolean, out: string | null, cuda: Cuda, help: boolean}} PackageOptions */

export const packageHelp = `usage: npm run package [-- --deb] [--tar] [--cuda all|built|none] [--out DIR]

  --deb, --tar   only that package; both without
  --cuda all     the CUDA engine for every card (the default where nvcc is found; takes long the first time)
         built   as it lies in .native/ (for trying packages out)
         none    without it
  --out DIR      where the packages go; dist/ otherwise
`

/**
 * @param {readonly string[]} args
 * @param {boolean} nvcc whether a CUDA compiler is there
 * @returns {PackageOptions}
 * @throws {SetupFailure} in one sentence for what is not understood
 */
export function packageOptions(args, nvcc) {
  const { deb, tar, out, cuda, help } = parse(args)
  const chosen = cuda ?? (nvcc ? 'all' : 'none')
  if (chosen !== 'all' && chosen !== 'built' && chosen !== 'none') {
    throw new SetupFailure(`--cuda takes all, built or none, not ${chosen}.`)
  }
  const both = !deb && !tar
  return { deb: deb || both, tar: tar || both, out: out ?? null, cuda: chosen, help }
}

/** @param {readonly string[]} args */
function parse(args) {
  const flag = { type: /** @type {const} */ ('boolean'), default: false }
  const text = { type: /** @type {const} */ ('string') }
  try {
    return parseArgs({
      args: [...args],
      options: { deb: flag, tar: flag, help: flag, out: text, cuda: text },
    }).values
  } catch (error) {
    throw new SetupFailure(
      `${error instanceof Error ? error.message : error} (npm run package -- --help lists the options).`,
    )
  }
}
