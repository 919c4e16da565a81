/**
 * The origin of a template's text. Every position of a node is an index into `text`.
 *
 * @see https://pkg.go.dev/text/template/parse#Tree
 */
export interface Source {
  /** The name that error messages show; may be empty. */
  readonly name: string
  readonly text: string
}

/** A single template, from `define`, `block` or a whole source. */
export interface Template {
  readonly name: string
  readonly source: Source
  readonly root: ListNode
}

/** Templates by their names. */
export type Templates = ReadonlyMap<string, Template>

/**
 * A node of the parse tree. Nodes are immutable: a pass that rewrites templates creates new ones and keeps `pos`, so that errors
 * still point at the author's text.
 */
export type Node = StatementNode | ListNode | PipeNode | CommandNode | OperandNode

/** An element of a list: text, or an action between `{{` and `}}`. */
export type StatementNode =
  | TextNode
  | ActionNode
  | IfNode
  | RangeNode
  | WithNode
  | TemplateNode
  | BreakNode
  | ContinueNode

/** An element of a command: the function or value that comes first, and its arguments. */
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

/** A sequence of nodes. */
export interface ListNode {
  readonly kind: 'list'
  readonly pos: number
  readonly nodes: readonly StatementNode[]
}

/** Plain text, trimmed as the neighbouring actions require. */
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

/** Commands joined by `|`. Each gets the value of the previous one as its last argument. */
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

/** `$x.A.B`: a variable, with its dollar sign, and optional fields. */
export interface VariableNode {
  readonly kind: 'variable'
  readonly pos: number
  readonly name: string
  readonly fields: readonly string[]
}

/** `(pipeline).A.B` or `function.A`: at least one field of the value of another operand. */
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

/** A number or a character constant, and the types that can represent it. */
export interface NumberNode {
  readonly kind: 'number'
  readonly pos: number
  /** The original text. */
  readonly text: string
  /** If it is a signed 64-bit whole number. */
  readonly integer?: bigint
  /** If it is an unsigned 64-bit whole number. */
  readonly unsigned?: bigint
  readonly float: number
}

/** A text constant. */
export interface StringNode {
  readonly kind: 'string'
  readonly pos: number
  /** The original text, with its quotes. */
  readonly quoted: string
  readonly text: string
}

/** The common part of `if`, `range` and `with`. */
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

/** `{{template "name" pipeline}}`; also replaces a `block`. */
export interface TemplateNode {
  readonly kind: 'template'
  /** The position of the name. */
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
