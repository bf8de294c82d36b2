import { resolve } from 'node:path'
import { writeGenerated } from '@engine/generate'
import { LabError } from '@shared/errors'
import { printableJson } from '@shared/printable'
import type { GenerateOptions } from './generate-arguments'
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
      throw explainForce(thrown)
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

function explainForce(thrown: unknown): unknown {
  if (!(thrown instanceof LabError) || thrown.code !== 'export.exists') return thrown
  const message = thrown.message.replace(
    / exists: .*$/,
    ' exists: add --force to replace it, or choose another file with -o.',
  )
  return new LabError(thrown.kind, thrown.code, message, thrown.details)
}
