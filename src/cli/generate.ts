import { resolve } from 'node:path'
import { writeGenerated } from '@engine/generate'
import { printableJson } from '@shared/printable'
import type { GenerateOptions } from './generate-arguments'
import { explainForce } from './explain-force'
import type { CliIo } from './io'
import { Progress } from './progress'

/** `centroid-lab generate`: the points of a spec in a file. @returns exit status 0 */
export async function generate(options: GenerateOptions, io: CliIo): Promise<number> {
  const { spec, format, output, force, json } = options
  const progress = new Progress(io.stderr)
  try {
    const { path, bytes } = await writeGenerated(spec, {
      format,
      path: resolve(output),
      replace: force,
      signal: io.signal,
      onRows: (rows) => progress.update(`writing ${output}: ${rows} of ${spec.n} points`),
    }).catch((thrown: unknown) => {
      throw explainForce(thrown, 'file')
    })
    progress.clear()
    const { n, d } = spec
    const says = `${n} points, ${d} ${d === 1 ? 'feature' : 'features'}, ${bytes} bytes`
    io.stdout.write(
      json ? `${printableJson({ file: path, format, bytes, ...spec })}\n` : `Written: ${path} (${says})\n`,
    )
    return 0
  } finally {
    progress.clear()
  }
}
