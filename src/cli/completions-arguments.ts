import { invalidArgument } from '@shared/errors'
import { help, type OptionSpec } from './options'
import type { Tokens } from './tokens'
import { oneOf } from './values'

export const shells = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof shells)[number]

export const completionsOptions: readonly OptionSpec[] = [help]

/** @throws LabError `input` for a shell that there are no completions for */
export function parseCompletions({ positionals }: Tokens): Shell {
  if (positionals.length !== 1)
    throw invalidArgument('one shell', 'completions', positionals.join(' ') || null)
  return oneOf(positionals[0], 'the shell', shells)
}
