/** The position of a node in the text. Lines and columns count from 1. */
interface NodePlace {
  readonly line: number
  readonly column: number
  /** The first position in the text, and the one after the last. */
  readonly start: number
  readonly end: number
}

/** A single value, as text. */
export interface YamlScalarNode extends NodePlace {
  readonly kind: 'scalar'
  readonly text: string
  /** Neither quoted nor a block: its type depends on its text. */
  readonly isPlain: boolean
  /** An explicit tag, such as `!!str`. */
  readonly tag?: string
}

/** A list. */
export interface YamlSequence extends NodePlace {
  readonly kind: 'sequence'
  readonly items: readonly YamlNode[]
}

/** A mapping; duplicate keys and merge keys (`<<`) are still in it. */
export interface YamlMapping extends NodePlace {
  readonly kind: 'mapping'
  readonly entries: readonly { readonly key: YamlNode; readonly value: YamlNode }[]
}

/**
 * A node of a YAML document with its place, as a parser of the caller's choice has read it: scalars without a type, an alias as
 * the node that it refers to.
 */
export type YamlNode = YamlScalarNode | YamlSequence | YamlMapping

/** A problem with a document. Lines and columns count from 1. */
export interface DecodeProblem {
  /** The place in the document, such as `route.routes[0].receiver`; empty for the whole document. */
  readonly path: string
  readonly line: number
  readonly column: number
  readonly message: string
}
