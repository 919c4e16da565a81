import type { WrittenReference } from './outside.ts'

/** One argument of a command. It has a `name`, a `source`, or both. */
export interface WrittenArgument {
  /** The text of the argument. */
  readonly name?: string
  /** Where the value is found, as `data.image` or `header:X-Name`; without it `name` is the argument as it stands. */
  readonly source?: string
  /** `separate`: name, then value. `equals`: `name=value`. `concat`: `namevalue`. `value`: the value alone (default `separate`). */
  readonly format?: 'separate' | 'equals' | 'concat' | 'value'
  /** Without a value: the request is refused, or the argument is its name, nothing, or as if the value were empty (default `error`). */
  readonly on_missing?: 'error' | 'name' | 'skip' | 'empty'
  /** The value where the request has none. */
  readonly default?: string
  /** What the whole value must match, in RE2 syntax (default: anything). */
  readonly pattern?: string
  /** In bytes (default 65536). */
  readonly max_length?: number
  /** Whether a value may begin with `-` where an argument begins (default `false`). */
  readonly allow_dash?: boolean
}

/** The value of a variable: a text that may refer to values from outside, one such value, or a value of the request. */
export type WrittenVariable = string | WrittenReference | WrittenVariableSource

interface WrittenVariableSource {
  /** Where the value is found, as `data.branch`. */
  readonly source: string
  /** The value where the request has none. */
  readonly default?: string
}

/** A value of a request that the command reads from a file. */
export interface WrittenFile {
  /** The variable that holds the path of the file. */
  readonly env: string
  /** Where the value is found, as `data.archive`. */
  readonly source: string
  /** Whether the value is base64 of the content (default `false`). */
  readonly base64?: boolean
}
