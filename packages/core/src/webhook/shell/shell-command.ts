/** An expansion in a shell text: `$1`, `${1:-x}`, `$(…)`, `` `…` `` or `$((…))`. */
export interface Expansion {
  readonly written: string
  /** Whether double quotes keep its value whole. */
  readonly isQuoted: boolean
  readonly kind: 'parameter' | 'command' | 'arithmetic'
  /** The parameters whose values it may contain. */
  readonly names: ReadonlySet<string>
  /** Of these, the ones in arithmetic, where a shell evaluates a value once more. */
  readonly evaluated: ReadonlySet<string>
  /** The commands of a substitution. */
  readonly commands: readonly ShellCommand[]
}

/** A word of a shell text. */
export interface ShellWord {
  /** As written. */
  readonly text: string
  /** Its value; `undefined` if it has expansions. */
  readonly literal: string | undefined
  readonly isQuoted: boolean
  /** Whether it consists of expansions outside of quotes, so that it may be no word at all. */
  readonly mayVanish: boolean
  readonly expansions: readonly Expansion[]
}

/** The name of all parameters of functions, beside those of the text. */
export const functionParameter = '()'
/** The name of `$@` in a function. */
export const functionParameters = '()@'

/** A simple command of a shell text, at any depth. */
export interface ShellCommand {
  readonly words: readonly ShellWord[]
  readonly assignments: readonly { readonly name: string; readonly word: ShellWord }[]
  /** The files of its redirections. */
  readonly targets: readonly ShellWord[]
  /** Those of them that it writes to. */
  readonly outputs: readonly ShellWord[]
  /** Expansions in its here-documents and here-strings. */
  readonly input: readonly Expansion[]
  /** The command before it in a pipeline. */
  readonly readsFrom: ShellCommand | undefined
  /** Whether it is `[[ … ]]`, or the subject of `case`, whose expansions stay whole. */
  readonly isWhole: boolean
}

/** A word without expansions. */
export function literalWord(literal: string): ShellWord {
  return { text: literal, literal, isQuoted: true, mayVanish: false, expansions: [] }
}

/** The expansions of a command, outside of its substitutions. */
export function expansionsOf({
  words,
  assignments,
  targets,
  input,
}: ShellCommand): readonly Expansion[] {
  const all = [...words, ...assignments.map(({ word }) => word), ...targets]
  return [...all.flatMap(({ expansions }) => expansions), ...input]
}
