import { resolve } from 'node:path'

/**
 * The file a start of the program names, or null. Electron's own switches and, in development, the folder of
 * the application stand among the arguments: the file is the last one that is neither.
 */
export function fileArgument(argv: readonly string[], folder: string): string | null {
  const words = argv.slice(1).filter((argument) => !argument.startsWith('-'))
  const files = words.filter((word) => /\.[^./\\]+$/.test(word) && !/\.(asar|js|mjs|cjs)$/.test(word))
  const file = files.at(-1)
  return file === undefined ? null : resolve(folder, file)
}
