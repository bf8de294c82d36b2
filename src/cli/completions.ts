import { assertNever } from '@shared/assert-never'
import { commands, type CommandName } from './arguments'
import type { Shell } from './completions-arguments'
import { descriptions } from './descriptions'
import { flagOf, type OptionSpec } from './options'

/** What a shell evaluates to complete the words of our commands; files where nothing else is meant. */
export function completions(shell: Shell): string {
  switch (shell) {
    case 'bash':
      return bash()
    case 'zsh':
      return zsh()
    case 'fish':
      return fish()
    default:
      return assertNever(shell, 'the shell')
  }
}

/** The words that an option takes, empty where it takes something else. */
function wordsOf({ value }: OptionSpec): readonly string[] {
  return value !== null && /^[a-z0-9-]+(\|[a-z0-9-]+)+$/.test(value) ? value.split('|') : []
}

/** All ways to write an option. */
function flagsOf(option: OptionSpec): readonly string[] {
  const { short } = option
  return short === undefined || short === option.name ? [flagOf(option)] : [`-${short}`, flagOf(option)]
}

function bash(): string {
  const choices = commands.flatMap((command) =>
    descriptions[command].options
      .filter((option) => wordsOf(option).length > 0)
      .map((option) => {
        const when = flagsOf(option)
          .map((flag) => `"${command} ${flag}"`)
          .join(' | ')
        return `    ${when}) COMPREPLY=($(compgen -W '${wordsOf(option).join(' ')}' -- "$word")); return ;;`
      }),
  )
  const options = commands.map((command) => {
    const flags = descriptions[command].options.flatMap(flagsOf).join(' ')
    return `    ${command}) COMPREPLY=($(compgen -W '${flags}' -- "$word")) ;;`
  })
  return `# Completions of centroid-lab for bash: source this file, or put it among bash-completion's.
_centroid_lab() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} command=\${COMP_WORDS[1]}
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W '${commands.join(' ')} --help --version' -- "$word") $(compgen -f -- "$word"))
    return
  fi
  case "$command $before" in
${choices.join('\n')}
  esac
  case "$word" in
  -*)
    case "$command" in
${options.join('\n')}
    esac
    ;;
  *) COMPREPLY=($(compgen -f -- "$word")) ;;
  esac
}
complete -o filenames -F _centroid_lab centroid-lab
`
}

function zsh(): string {
  const list = commands.map((command) => `    ${quoted(`${command}:${descriptions[command].summary}`)}`)
  const cases = commands.map((command) => {
    const specs = descriptions[command].options.flatMap((option) =>
      flagsOf(option).map((flag) => `      ${quoted(zshSpec(flag, option))}`),
    )
    return `  ${command})\n    _arguments \\\n${[...specs, "      '*:file:_files'"].join(' \\\n')}\n    ;;`
  })
  return `#compdef centroid-lab
# Completions of centroid-lab for zsh: put this file as _centroid-lab into a folder of $fpath.
_centroid-lab() {
  local -a names
  names=(
${list.join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command names
    _files
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
${cases.join('\n')}
  esac
}
_centroid-lab "$@"
`
}

/** `*` lets an option come again; brackets and colons part what it tells. */
function zshSpec(flag: string, option: OptionSpec): string {
  const about = option.help.replace(/[[\]:\\]/g, '\\$&')
  if (option.value === null || option.optional === true) return `*${flag}[${about}]`
  const words = wordsOf(option)
  const takes = words.length > 0 ? `(${words.join(' ')})` : '_files'
  return `*${flag}[${about}]:value:${takes}`
}

function fish(): string {
  const lines = commands.flatMap((command) => [
    `complete -c centroid-lab -n __fish_use_subcommand -a ${command} -d ${quoted(descriptions[command].summary)}`,
    ...descriptions[command].options.map((option) => fishLine(command, option)),
  ])
  return `# Completions of centroid-lab for fish: put this file into ~/.config/fish/completions.\n${lines.join('\n')}\n`
}

function fishLine(command: CommandName, option: OptionSpec): string {
  const { name, short, value, optional, help } = option
  const flags = [
    ...(short === undefined ? [] : [`-s ${short}`]),
    ...(name === short ? [] : [`-l ${name}`]),
  ].join(' ')
  const words = wordsOf(option)
  const takes = words.length > 0 ? ` -x -a '${words.join(' ')}'` : value !== null && !optional ? ' -r' : ''
  return `complete -c centroid-lab -n '__fish_seen_subcommand_from ${command}' ${flags}${takes} -d ${quoted(help)}`
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
