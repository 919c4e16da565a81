import { Argument, Command } from 'commander'
import { runCommand } from '../run-command.ts'

/** `gatehouse completion`: a script that completes commands and flags in a shell. */
export function completionCommand(load: () => Promise<readonly Command[]>): Command {
  return new Command('completion')
    .description(
      'Print a script that completes commands and flags: eval "$(gatehouse completion bash)"',
    )
    .addArgument(new Argument('<shell>', 'the shell').choices(['bash']))
    .action(() =>
      runCommand(async () => {
        process.stdout.write(bashScript(await load()))
        return 0
      }),
    )
}

/** What can follow a place in the command line: a command, such as ` storage backup`, or a flag of it. */
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

/** Places and words are names of commands and flags, so quotes are enough for the shell. */
function bashScript(commands: readonly Command[]): string {
  const names = commands.map((command) => command.name())
  const follows: readonly Follows[] = [
    { place: '', words: [...names, '--help', '--version'] },
    ...commands.flatMap((command) => followsOf(command, ` ${command.name()}`)),
  ]
  const caseOf = ({ place, words }: Follows): string =>
    `    "${place}") words="${words.join(' ')}" ;;`
  const places = follows.filter(({ isFlag = false }) => !isFlag)
  const pattern = places.map(({ place }) => `"${place}"`).join(' | ')
  const cases = places.map(caseOf)
  const choices = follows.filter(({ isFlag = false }) => isFlag).map(caseOf)
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
