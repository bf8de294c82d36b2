import { resolve } from 'node:path'

/**
 * The file a start of the program names, or null: the last argument that is no switch.
 * @param before arguments that are not the person's: the program, and in development the application's folder.
 */
export function fileArgument(
  argv: readonly string[],
  before: readonly string[],
  folder: string,
): string | null {
  const words = argv.slice(1).filter((argument) => !argument.startsWith('-'))
  const file = words
    .filter((word) => !before.includes(resolve(folder, word)) && !/\.[cm]?js$/.test(word))
    .at(-1)
  return file === undefined ? null : resolve(folder, file)
}
