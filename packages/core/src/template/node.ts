/**
 * Where a template's text comes from. Every position of a node is an index into `text`.
 *
 * @see https://pkg.go.dev/text/template/parse#Tree
 */
export interface Source {
  /** The name that error messages show; may be empty. */
  readonly name: string
  readonly text: string
}

/** One template by itself: what `define`, `block` or a whole source gives. */
export interface Template {
  readonly name: string
  readonly source: Source
  readonly root: ListNode
}

/** Templates by their names. */
export type Templates = ReadonlyMap<string, Template>

/**
 * A node of the parse tree. Nodes are never changed: a pass that rewrites templates makes new ones and keeps
 * `pos`, so that errors still point at what the author wrote.
 */
export type Node = StatementNode | ListNode | PipeNode | CommandNode | OperandNode

/** What may stand in a list: text, or what is written between `{{` and `}}`. */
export type StatementNode =
  | TextNode
  | ActionNode
  | IfNode
  | RangeNode
  | WithNode
  | TemplateNode
  | BreakNode
  | ContinueNode

/** What may stand in a command: the function or value that comes first, and its arguments. */
export type OperandNode =
  | IdentifierNode
  | FieldNode
  | VariableNode
  | ChainNode
  | DotNode
  | NilNode
  | BoolNode
  | NumberNode
  | StringNode
  | PipeNode

/** Nodes that follow each other. */
export interface ListNode {
  readonly kind: 'list'
  readonly pos: number
  readonly nodes: readonly StatementNode[]
}

/** Plain text, trimmed as the neighbouring actions ask for. */
export interface TextNode {
  readonly kind: 'text'
  readonly pos: number
  readonly text: string
}

/** `{{pipeline}}`: prints its value, unless it declares or sets variables. */
export interface ActionNode {
  readonly kind: 'action'
  readonly pos: number
  readonly pipe: PipeNode
}

/** Commands joined by `|`, each given the value of the one before as its last argument. */
export interface PipeNode {
  readonly kind: 'pipe'
  readonly pos: number
  /** The variables that take the value: `$x := …`, or two of them for `range`. */
  readonly variables: readonly VariableNode[]
  /** Whether the variables exist already: `=` instead of `:=`. */
  readonly isAssign: boolean
  readonly commands: readonly CommandNode[]
}

/** An operand and its arguments; never empty. */
export interface CommandNode {
  readonly kind: 'command'
  readonly pos: number
  readonly operands: readonly [OperandNode, ...OperandNode[]]
}

/** The name of a function. */
export interface IdentifierNode {
  readonly kind: 'identifier'
  readonly pos: number
  readonly name: string
}

/** `.A.B`: fields of dot, at least one. */
export interface FieldNode {
  readonly kind: 'field'
  readonly pos: number
  readonly fields: readonly string[]
}

/** `$x.A.B`: a variable, with its dollar sign, and maybe fields of it. */
export interface VariableNode {
  readonly kind: 'variable'
  readonly pos: number
  readonly name: string
  readonly fields: readonly string[]
}

/** `(pipeline).A.B` or `function.A`: fields of what another operand gives, at least one. */
export interface ChainNode {
  readonly kind: 'chain'
  readonly pos: number
  readonly operand: OperandNode
  readonly fields: readonly string[]
}

/** `.` by itself. */
export interface DotNode {
  readonly kind: 'dot'
  readonly pos: number
}

/** The constant `nil`. */
export interface NilNode {
  readonly kind: 'nil'
  readonly pos: number
}

/** The constant `true` or `false`. */
export interface BoolNode {
  readonly kind: 'bool'
  readonly pos: number
  readonly value: boolean
}

/** A number or a character constant, and what it may be taken for. */
export interface NumberNode {
  readonly kind: 'number'
  readonly pos: number
  /** As it was written. */
  readonly text: string
  /** Where it is a whole number of 64 bits with a sign. */
  readonly integer?: bigint
  /** Where it is a whole number of 64 bits without a sign. */
  readonly unsigned?: bigint
  readonly float: number
}

/** A text constant. */
export interface StringNode {
  readonly kind: 'string'
  readonly pos: number
  /** As it was written, with its quotes. */
  readonly quoted: string
  readonly text: string
}

/** What `if`, `range` and `with` have in common. */
interface BranchNode {
  readonly pos: number
  readonly pipe: PipeNode
  readonly list: ListNode
  /** After `{{else}}`; for `{{else if}}` and `{{else with}}` a list of that one node. */
  readonly elseList?: ListNode
}

/** `{{if}}` … `{{else}}` … `{{end}}`. */
export interface IfNode extends BranchNode {
  readonly kind: 'if'
}

/** `{{range}}` … `{{else}}` … `{{end}}`. */
export interface RangeNode extends BranchNode {
  readonly kind: 'range'
}

/** `{{with}}` … `{{else}}` … `{{end}}`. */
export interface WithNode extends BranchNode {
  readonly kind: 'with'
}

/** `{{template "name" pipeline}}`; also what stands where a `block` was. */
export interface TemplateNode {
  readonly kind: 'template'
  /** Of the name. */
  readonly pos: number
  readonly name: string
  readonly pipe?: PipeNode
}

/** `{{break}}`. */
export interface BreakNode {
  readonly kind: 'break'
  readonly pos: number
}

/** `{{continue}}`. */
export interface ContinueNode {
  readonly kind: 'continue'
  readonly pos: number
}
