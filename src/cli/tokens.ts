import { parseArgs } from 'node:util'
import { invalidArgument } from '@shared/errors'
import { noSuchOption } from './misspelt'
import { flagOf, type OptionSpec } from './options'

/** Arguments cut apart; values are still text. */
export interface Tokens {
  /**
   * By option name; a switch that was given, or an optional value that was not, is `''`. The last one wins, as
   * everywhere in a shell.
   */
  readonly values: ReadonlyMap<string, string>
  readonly positionals: readonly string[]
}

/** @throws LabError for an option that is not in `specs`, or one that lacks its value or has one too many. */
export function tokenise(args: readonly string[], specs: readonly OptionSpec[]): Tokens {
  const options = Object.fromEntries(
    specs.map(({ name, short, value, optional }) => [
      name,
      { type: value === null || optional ? 'boolean' : 'string', ...(short && { short }) } as const,
    ]),
  )
  const { tokens } = parseArgs({ args: [...args], options, strict: false, tokens: true })
  const values = new Map<string, string>()
  const positionals: string[] = []
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value)
    if (token.kind === 'option') values.set(token.name, valueOf(token, specs))
  }
  return { values, positionals }
}

interface OptionToken {
  readonly name: string
  readonly rawName: string
  readonly value: string | undefined
  readonly inlineValue: boolean | undefined
}

function valueOf(token: OptionToken, specs: readonly OptionSpec[]): string {
  const spec = specs.find(({ name }) => name === token.name)
  if (spec === undefined) throw noSuchOption(token.rawName, specs.map(flagOf))
  if (spec.value === null) {
    if (token.value === undefined) return ''
    throw invalidArgument('no value', token.rawName, token.value)
  }
  if (spec.optional && token.value === undefined) return ''
  if (spec.optional && token.value === '') throw invalidArgument(`one of ${spec.value}`, token.rawName, '')
  if (token.value === undefined || (token.inlineValue !== true && isOption(token.value, specs))) {
    throw invalidArgument(`a value (${spec.value})`, token.rawName, token.value ?? null)
  }
  return token.value
}

/** `-o --force`: the next option was taken for the value, which is never what was meant. */
function isOption(text: string, specs: readonly OptionSpec[]): boolean {
  return specs.some(({ name, short }) => text === `--${name}` || (short && text === `-${short}`))
}
