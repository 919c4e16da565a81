import { goQuote, goUnquote } from '../../text/quote.ts'
import { formatNode } from '../format-node.ts'
import type {
  CommandNode,
  NumberNode,
  OperandNode,
  PipeNode,
  StringNode,
  VariableNode,
} from '../node.ts'
import { parseCharacter, parseNumber } from './number-constant.ts'
import { fail, failUnexpected, nested, type ParseState } from './parse-state.ts'
import type { Token, TokenKind } from './token.ts'

const operandStarts: ReadonlySet<TokenKind> = new Set<TokenKind>([
  'bool',
  'charConstant',
  'complex',
  'dot',
  'field',
  'identifier',
  'number',
  'nil',
  'rawString',
  'string',
  'variable',
  'leftParen',
])
/** The operands that cannot take the value of the previous command. */
const constants: ReadonlySet<OperandNode['kind']> = new Set<OperandNode['kind']>([
  'bool',
  'dot',
  'nil',
  'number',
  'string',
])

/** Reads a pipeline up to the token that ends it. `context` names its statement in errors. */
export function parsePipeline(
  state: ParseState,
  context: string,
  end: 'rightDelimiter' | 'rightParen',
): PipeNode {
  const { tokens } = state
  const { pos } = tokens.peekNonSpace()
  const { variables, isAssign } = parseVariables(state, context)
  const commands: CommandNode[] = []
  for (;;) {
    const token = tokens.nextNonSpace()
    if (token.kind === end) break
    if (!operandStarts.has(token.kind)) failUnexpected(state, token, context)
    tokens.putBack(token)
    commands.push(parseCommand(state))
  }
  checkCommands(state, commands, context)
  return { kind: 'pipe', pos, variables, isAssign, commands }
}

function checkCommands(state: ParseState, commands: readonly CommandNode[], context: string): void {
  if (commands.length === 0) fail(state, `missing value for ${context}`)
  for (const [i, { operands }] of commands.entries()) {
    if (i > 0 && constants.has(operands[0].kind)) {
      fail(state, `non executable command in pipeline stage ${i + 1}`)
    }
  }
}

type Declaration = Pick<PipeNode, 'variables' | 'isAssign'>

/** Reads `$x :=`, `$x =` or, for range, `$i, $x :=`, if present. */
function parseVariables(state: ParseState, context: string): Declaration {
  const { tokens } = state
  const variables: VariableNode[] = []
  for (;;) {
    const variable = tokens.peekNonSpace()
    if (variable.kind !== 'variable') return { variables, isAssign: false }
    tokens.next()
    const after = tokens.peek()
    const next = tokens.peekNonSpace()
    const isComma = next.kind === 'character' && next.text === ','
    if (!isComma && next.kind !== 'assign' && next.kind !== 'declare') {
      // It is an operand after all. Keep the blank after it, which separates it from a field.
      if (after.kind === 'space') tokens.putBack(variable, after)
      else tokens.putBack(variable)
      return { variables, isAssign: false }
    }
    tokens.nextNonSpace()
    variables.push({ kind: 'variable', pos: variable.pos, name: variable.text, fields: [] })
    state.variables.declare(variable.text)
    if (!isComma) return { variables, isAssign: next.kind === 'assign' }
    checkComma(state, context, variables.length)
  }
}

function checkComma(state: ParseState, context: string, count: number): void {
  if (context !== 'range' || count > 1) fail(state, `too many declarations in ${context}`)
  const { kind } = state.tokens.peekNonSpace()
  if (kind !== 'variable' && kind !== 'rightDelimiter' && kind !== 'rightParen') {
    fail(state, 'range can only initialize variables')
  }
}

function parseCommand(state: ParseState): CommandNode {
  const { tokens } = state
  const { pos } = tokens.peekNonSpace()
  const operands: OperandNode[] = []
  for (;;) {
    tokens.peekNonSpace()
    const operand = parseOperand(state)
    if (operand !== undefined) operands.push(operand)
    const token = tokens.next()
    if (token.kind === 'space') continue
    if (token.kind === 'rightDelimiter' || token.kind === 'rightParen') tokens.putBack(token)
    else if (token.kind !== 'pipe') failUnexpected(state, token, 'operand')
    break
  }
  const [first, ...others] = operands
  if (first === undefined) fail(state, 'empty command')
  return { kind: 'command', pos, operands: [first, ...others] }
}

/** Reads a term and its fields; `undefined` if there is none. */
function parseOperand(state: ParseState): OperandNode | undefined {
  const { tokens } = state
  const term = parseTerm(state)
  if (term === undefined) return undefined
  const { pos } = tokens.peek()
  const fields: string[] = []
  while (tokens.peek().kind === 'field') fields.push(tokens.next().text.slice(1))
  if (fields.length === 0) return term
  if (constants.has(term.kind)) fail(state, `unexpected . after term ${goQuote(formatNode(term))}`)
  if (term.kind === 'field' || term.kind === 'variable') {
    return { ...term, pos, fields: [...term.fields, ...fields] }
  }
  return { kind: 'chain', pos, operand: term, fields }
}

function parseTerm(state: ParseState): OperandNode | undefined {
  const token = state.tokens.nextNonSpace()
  const { pos, text } = token
  switch (token.kind) {
    case 'identifier':
      if (!state.hasFunction(text)) fail(state, `function ${goQuote(text)} not defined`)
      return { kind: 'identifier', pos, name: text }
    case 'dot':
    case 'nil':
      return { kind: token.kind, pos }
    case 'variable':
      if (!state.variables.has(text)) fail(state, `undefined variable ${goQuote(text)}`)
      return { kind: 'variable', pos, name: text, fields: [] }
    case 'field':
      return { kind: 'field', pos, fields: [text.slice(1)] }
    case 'bool':
      return { kind: 'bool', pos, value: text === 'true' }
    case 'charConstant':
    case 'complex':
    case 'number':
      return numberNode(state, token)
    case 'leftParen':
      return nested(state, () => parsePipeline(state, 'parenthesized pipeline', 'rightParen'))
    case 'string':
    case 'rawString':
      return stringNode(state, token)
    default:
      state.tokens.putBack(token)
      return undefined
  }
}

function numberNode(state: ParseState, { kind, pos, text }: Token): NumberNode {
  try {
    const read = kind === 'charConstant' ? parseCharacter : parseNumber
    return { kind: 'number', pos, text, ...read(text) }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    fail(state, error.message)
  }
}

/** Decodes the text of a string token. */
export function unquote(state: ParseState, { text }: Token): string {
  // In a raw string carriage returns are dropped, as in Go's sources.
  if (text.startsWith('`')) return text.slice(1, -1).replaceAll('\r', '')
  const unquoted = goUnquote(text)
  if (unquoted === undefined) fail(state, 'invalid syntax')
  return unquoted
}

function stringNode(state: ParseState, token: Token): StringNode {
  return { kind: 'string', pos: token.pos, quoted: token.text, text: unquote(state, token) }
}
