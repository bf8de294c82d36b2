// What comes from the system the program was built on: libraries taken along, and headers compiled in.
import { existsSync, readFileSync } from 'node:fs'
import { firstLine } from './run.mjs'

/** @typedef {{ name: string, version: string, licence: string, text: string }} Licence */

/** Debian keeps the licence of a package here. */
const documents = '/usr/share/doc'
const gpl = '/usr/share/common-licenses/GPL-3'

const taken = [
  { name: 'oneTBB', from: 'libtbb12', licence: 'Apache-2.0', also: '/usr/share/common-licenses/Apache-2.0' },
  { name: 'libgomp', from: 'libgomp1', licence: 'GPL-3.0-or-later WITH GCC-exception-3.1', also: gpl },
  { name: 'Eigen', from: 'libeigen3-dev', licence: 'MPL-2.0', also: '/usr/share/common-licenses/MPL-2.0' },
  { name: 'fast_float', from: 'libfast-float-dev', licence: 'MIT OR Apache-2.0', also: null },
]

/**
 * Licences of the system's libraries and headers inside the addons, as far as they are installed here; none on a system
 * without dpkg.
 * @returns {Licence[]}
 */
export function systemLicences() {
  return taken.flatMap(({ name, from, licence, also }) => {
    const file = `${documents}/${from}/copyright`
    if (!existsSync(file)) return []
    const version = firstLine('dpkg-query', ['-W', '-f=${Version}', from]) ?? 'unknown'
    const texts = [file, ...(also !== null && existsSync(also) ? [also] : [])]
    return [
      { name, version, licence, text: texts.map((path) => readFileSync(path, 'utf8').trim()).join('\n\n') },
    ]
  })
}

/**
 * NVIDIA's part of the CUDA addon, which is linked into it.
 * @returns {Licence[]} none where the addon cannot be built
 */
export function cudaLicences() {
  const version = /V(\d+\.\d+\.\d+)/.exec(
    firstLine('sh', ['-c', 'nvcc --version | grep -o "V[0-9.]*"']) ?? '',
  )?.[1]
  if (version === undefined) return []
  return [
    {
      name: 'NVIDIA CUDA runtime and CCCL',
      version,
      licence: 'LicenseRef-NVIDIA-CUDA-EULA AND Apache-2.0 WITH LLVM-exception',
      text:
        'The CUDA engine contains the static CUDA runtime (cudart_static), which the End User License Agreement of the ' +
        'CUDA Toolkit names among the libraries that may be redistributed (Attachment A), and compiled templates of ' +
        'Thrust and CUB. This software contains source code provided by NVIDIA Corporation. The agreement is in the ' +
        'CUDA Toolkit and at https://docs.nvidia.com/cuda/eula.',
    },
  ]
}
