import {
  type Expansion,
  expansionsOf,
  functionParameter,
  functionParameters,
  type ShellCommand,
  type ShellWord,
} from './shell-command.ts'

/**
 * Whether a text has a value of a request: no, perhaps, one that only has characters without a meaning for any language, or one
 * that may have every character.
 */
export type Level = 0 | 1 | 2 | 3

/** The values that a shell text starts with. */
export interface StartValues {
  /** Of `$0`, `$1` and so on. */
  readonly positions: readonly Level[]
  /** Of the positions after these. */
  readonly rest: Level
  readonly variables: ReadonlyMap<string, Level>
  /** Variables with the path of a file that has a value. */
  readonly files: ReadonlySet<string>
  /** Whether the standard input is the request. */
  readonly readsRequest: boolean
}

/** Passes in which a value moves from variable to variable, should a loop move it backwards. */
const maxPasses = 8
/** Commands that write what they read. */
const filters: ReadonlySet<string> = new Set(
  'cat head tail tr sed awk grep cut sort uniq tee jq yq xargs base64 python python3 node perl'.split(
    ' ',
  ),
)

export const highest = (levels: readonly Level[]): Level =>
  levels.reduce((most, level) => (level > most ? level : most), 0)

/** Computes which parameters of a shell text have values of a request. */
export class ValueLevels {
  readonly #start: StartValues
  readonly #variables: Map<string, Level>
  /** The names of functions. All share one variable for their parameters. */
  readonly #functions = new Set<string>()
  /** Of all positions, once the text sets or shifts them. */
  #moved: Level | undefined = undefined

  constructor(commands: readonly ShellCommand[], start: StartValues) {
    this.#start = start
    this.#variables = new Map(start.variables)
    for (const { words } of commands) {
      if (words[0]?.literal === 'function') this.#functions.add(words[1]?.text ?? '')
    }
    if (commands.some(({ words }) => /^(?:set|shift)$/.test(words[0]?.literal ?? ''))) {
      this.#moved = this.#allPositions()
    }
    for (let pass = 0; pass < maxPasses; pass++) {
      const changes = commands.map((command) => this.#follow(command))
      if (!changes.includes(true)) return
    }
  }

  get variables(): ReadonlyMap<string, Level> {
    return this.#variables
  }

  /** Whether positional parameters are those that the text starts with. */
  get hasFixedPositions(): boolean {
    return this.#moved === undefined
  }

  #first(list: Expansion): Level {
    if (list.names.has(functionParameters)) return this.ofName(functionParameter)
    return this.#moved ?? this.#start.positions[1] ?? this.#start.rest
  }

  #allPositions(): Level {
    return highest([...this.#start.positions.slice(1), this.#start.rest])
  }

  ofName(name: string): Level {
    if (name === functionParameters) return this.ofName(functionParameter)
    if (name === '@' || name === '*') return this.#moved ?? this.#allPositions()
    if (!/^\d+$/.test(name)) return this.#variables.get(name) ?? 0
    const position = Number(name)
    if (position > 0 && this.#moved !== undefined) return this.#moved
    return this.#start.positions[position] ?? this.#start.rest
  }

  of({ names, kind, commands }: Expansion): Level {
    const levels = [...names].map((name) => this.ofName(name))
    if (kind !== 'command') return highest(levels)
    const readsFile = [...names].some((name) => this.#start.files.has(name))
    const reads =
      this.#start.readsRequest &&
      commands.some(
        ({ words, readsFrom }) => readsFrom === undefined && filters.has(words[0]?.literal ?? ''),
      )
    return highest([...levels, readsFile || reads ? 1 : 0])
  }

  /** Of the values that a shell evaluates once more, as arithmetic. */
  ofEvaluated({ evaluated }: Expansion): Level {
    return highest([...evaluated].map((name) => this.ofName(name)))
  }

  ofWord({ expansions }: ShellWord): Level {
    return highest(expansions.map((one) => this.of(one)))
  }

  /** Like {@link ofWord}, for a place that takes one word: of several parameters, it is the first. */
  ofFirst({ expansions }: ShellWord): Level {
    return highest(expansions.map((one) => (isList(one) ? this.#first(one) : this.of(one))))
  }

  /** Whether a command reads values of a request from the commands before it, or from a text. */
  ofInput(command: ShellCommand): Level {
    const levels = command.input.map((one) => this.of(one))
    for (let from = command.readsFrom; from !== undefined; from = from.readsFrom) {
      levels.push(...expansionsOf(from).map((one) => this.of(one)))
    }
    return highest(levels)
  }

  #raise(name: string, level: Level): boolean {
    if (level <= (this.#variables.get(name) ?? 0)) return false
    this.#variables.set(name, level)
    return true
  }

  /** Follows values into the variables that a command sets; returns whether one has more of them now. */
  #follow(command: ShellCommand): boolean {
    const { words, assignments } = command
    const [program, ...others] = words
    const name = program?.literal ?? ''
    const raised = assignments.map((one) => this.#raise(one.name, this.ofWord(one.word)))
    for (const word of others) {
      const [, declared] = /^([A-Za-z_]\w*)\+?=/.exec(word.text) ?? []
      if (declared !== undefined) raised.push(this.#raise(declared, this.ofWord(word)))
    }
    if (name === 'for' || name === 'select') {
      const list = others.slice(2)
      const level =
        others.length === 1 ? this.ofName('@') : highest(list.map((word) => this.ofWord(word)))
      raised.push(this.#raise(others[0]?.literal ?? '', level))
    }
    if (name === 'read' || name === 'mapfile' || name === 'readarray') {
      const level = highest([this.ofInput(command), this.#start.readsRequest ? 1 : 0])
      const names = others.filter(({ text }) => !text.startsWith('-'))
      for (const { text } of names.length === 0 ? [{ text: 'REPLY' }] : names) {
        raised.push(this.#raise(text, level))
      }
    }
    if (this.#functions.has(name)) {
      raised.push(this.#raise(functionParameter, highest(others.map((word) => this.ofWord(word)))))
    }
    if (name === 'getopts') {
      raised.push(
        this.#raise(
          'OPTARG',
          highest([this.ofName('@'), ...others.map((word) => this.ofWord(word))]),
        ),
      )
    }
    if (name === 'set' && this.#moved !== undefined) {
      const level = highest([this.#moved, ...others.map((word) => this.ofWord(word))])
      raised.push(level > this.#moved)
      this.#moved = level
    }
    return raised.includes(true)
  }
}

/** Whether an expansion is `"$@"` or `$*`, which may be several words. */
export function isList({ names, kind }: Expansion): boolean {
  const list = ['@', '*', functionParameters]
  return kind === 'parameter' && list.some((name) => names.has(name))
}
