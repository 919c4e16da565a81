import type { Command } from 'commander'

/** The words that can follow a place in the command line: a command, such as ` storage backup`, or a flag of it. */
interface Follows {
  readonly place: string
  readonly words: readonly string[]
  readonly isFlag?: boolean
}

function followsOf(command: Command, place: string): readonly Follows[] {
  const options = command.options.filter(({ hidden }) => !hidden)
  const names = command.commands.map((one) => one.name())
  const flags = [...options.flatMap(({ long }) => long ?? []), '--help']
  const choices = options.flatMap(({ long, argChoices = [] }) =>
    argChoices.length === 0 ? [] : [{ place: `${place} ${long}`, words: argChoices, isFlag: true }],
  )
  const parts = command.commands.flatMap((one) => followsOf(one, `${place} ${one.name()}`))
  return [{ place, words: [...names, ...flags] }, ...choices, ...parts]
}

function allFollows(commands: readonly Command[]): readonly Follows[] {
  const names = commands.map((command) => command.name())
  return [
    { place: '', words: [...names, '--help', '--version'] },
    ...commands.flatMap((command) => followsOf(command, ` ${command.name()}`)),
  ]
}

const isFlag = ({ isFlag = false }: Follows): boolean => isFlag

/** Places and words are names of commands and flags, so quotes are enough for a shell. */
function bashScript(commands: readonly Command[]): string {
  const follows = allFollows(commands)
  const caseOf = ({ place, words }: Follows): string =>
    `    "${place}") words="${words.join(' ')}" ;;`
  const places = follows.filter((one) => !isFlag(one))
  const pattern = places.map(({ place }) => `"${place}"`).join(' | ')
  const cases = places.map(caseOf)
  const choices = follows.filter(isFlag).map(caseOf)
  return `_gatehouse() {
  local current="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD - 1]}" place="" words="" index
  for ((index = 1; index < COMP_CWORD; index++)); do
    case "$place \${COMP_WORDS[index]}" in
    ${pattern}) place="$place \${COMP_WORDS[index]}" ;;
    esac
  done
  # Bash makes the "=" of a flag a word of its own.
  if [[ $current == "=" ]]; then
    current=""
  elif [[ $before == "=" ]]; then
    before="\${COMP_WORDS[COMP_CWORD - 2]}"
  fi
  case "$place" in
${cases.join('\n')}
  esac
  # Only some flags take one of a few values.
  case "$place $before" in
${choices.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _gatehouse gatehouse
`
}

/** Zsh runs completions of bash. */
const zshScript = (commands: readonly Command[]): string => `autoload -Uz compinit bashcompinit
(( $+functions[compdef] )) || compinit
bashcompinit
${bashScript(commands)}`

function fishScript(commands: readonly Command[]): string {
  const follows = allFollows(commands)
  const places = follows.filter((one) => !isFlag(one))
  const caseOf = ({ place, words }: Follows): string =>
    `    case "${place}"\n      printf '%s\\n' ${words.join(' ')}`
  return `function __gatehouse_complete
  set -l place ""
  set -l words (commandline -opc)
  for word in $words[2..-1]
    switch "$place $word"
    case ${places.map(({ place }) => `"${place}"`).join(' ')}
      set place "$place $word"
    end
  end
  # Only some flags take one of a few values.
  switch "$place $words[-1]"
${follows.filter(isFlag).map(caseOf).join('\n')}
    case '*'
      switch "$place"
${places.map(caseOf).join('\n')}
      end
  end
end
complete -c gatehouse -a '(__gatehouse_complete)'
`
}

/** The shells with a script. */
export const shells = ['bash', 'zsh', 'fish'] as const
/** One of {@link shells}. */
export type Shell = (typeof shells)[number]

/** The scripts by their shells. */
export const completionScripts: Readonly<Record<Shell, (commands: readonly Command[]) => string>> =
  {
    bash: bashScript,
    zsh: zshScript,
    fish: fishScript,
  }
