import { goQuote } from '../../text/quote.ts'
import { isEmptyTemplate } from '../empty-template.ts'
import { templateSyntax } from '../errors.ts'
import type {
  ListNode,
  PipeNode,
  Source,
  StatementNode,
  Template,
  TemplateNode,
  Templates,
} from '../node.ts'
import { ParseScope } from './parse-scope.ts'
import {
  expectToken,
  fail,
  failUnexpected,
  nested,
  type ParseState,
  startTemplate,
} from './parse-state.ts'
import { parsePipeline, unquote } from './pipeline.ts'
import type { Token } from './token.ts'
import { TokenReader } from './token-reader.ts'

/** Options of {@link parseSource}. */
export interface ParseOptions {
  /** Whether a function of this name exists. */
  readonly hasFunction: (name: string) => boolean
  /** The longest text, in UTF-16 units. */
  readonly maxSource: number
  /** The greatest nesting of control structures and parentheses. */
  readonly maxNesting: number
}

/** The end of a list of nodes. */
type ListEnd = { readonly kind: 'end' } | { readonly kind: 'else'; readonly pos: number }

const isListEnd = (found: StatementNode | ListEnd): found is ListEnd =>
  found.kind === 'end' || found.kind === 'else'

/**
 * Parses a template's text: the templates it defines, and the rest under the name of the source.
 *
 * @throws {GoError} `TemplateSyntax`, with Go's text.
 * @see https://pkg.go.dev/text/template
 */
export function parseSource(source: Source, options: ParseOptions): Templates {
  const { maxSource, maxNesting, hasFunction } = options
  if (source.text.length > maxSource) {
    throw templateSyntax(source, 1, `longer than ${maxSource} characters`)
  }
  const state: ParseState = {
    source,
    tokens: new TokenReader(source.text),
    hasFunction,
    templates: new Map(),
    maxNesting,
    nesting: 0,
    variables: new ParseScope(),
    ranges: 0,
    actionLine: undefined,
  }
  addTemplate(state, source.name, parseTop(state))
  return state.templates
}

function addTemplate(state: ParseState, name: string, root: ListNode): void {
  const { source, templates } = state
  const template: Template = { name, source, root }
  const present = templates.get(name)
  if (present === undefined || isEmptyTemplate(present)) templates.set(name, template)
  else if (!isEmptyTemplate(template)) {
    fail(state, `template: multiple definition of template ${goQuote(name)}`)
  }
}

function parseTop(state: ParseState): ListNode {
  const { tokens } = state
  const { pos } = tokens.peek()
  const nodes: StatementNode[] = []
  while (tokens.peek().kind !== 'eof') {
    const delimiter = tokens.next()
    if (delimiter.kind === 'leftDelimiter') {
      const word = tokens.nextNonSpace()
      if (word.kind === 'define') {
        parseDefinition(startTemplate(state))
        continue
      }
      tokens.putBack(word)
    }
    tokens.putBack(delimiter)
    const node = parseStatement(state)
    if (isListEnd(node)) fail(state, `unexpected {{${node.kind}}}`)
    nodes.push(node)
  }
  return { kind: 'list', pos, nodes }
}

function parseDefinition(state: ParseState): void {
  const context = 'define clause'
  const name = parseName(state, state.tokens.nextNonSpace(), context)
  expectToken(state, 'rightDelimiter', context)
  addTemplate(state, name, parseBody(state, context))
}

function parseName(state: ParseState, token: Token, context: string): string {
  if (token.kind !== 'string' && token.kind !== 'rawString') failUnexpected(state, token, context)
  return unquote(state, token)
}

/** Reads the list of a defined template, up to its `{{end}}`. */
function parseBody(state: ParseState, context: string): ListNode {
  const [list, end] = nested(state, () => parseList(state))
  if (end.kind !== 'end') fail(state, `unexpected {{${end.kind}}} in ${context}`)
  return list
}

function parseList(state: ParseState): readonly [ListNode, ListEnd] {
  const { tokens } = state
  const { pos } = tokens.peekNonSpace()
  const nodes: StatementNode[] = []
  while (tokens.peekNonSpace().kind !== 'eof') {
    const node = parseStatement(state)
    if (isListEnd(node)) return [{ kind: 'list', pos, nodes }, node]
    nodes.push(node)
  }
  fail(state, 'unexpected EOF')
}

function parseStatement(state: ParseState): StatementNode | ListEnd {
  const token = state.tokens.nextNonSpace()
  if (token.kind === 'text') return { kind: 'text', pos: token.pos, text: token.text }
  if (token.kind !== 'leftDelimiter') failUnexpected(state, token, 'input')
  state.actionLine = token.line
  const statement = parseAction(state)
  state.actionLine = undefined
  return statement
}

function parseAction(state: ParseState): StatementNode | ListEnd {
  const { tokens } = state
  const token = tokens.nextNonSpace()
  switch (token.kind) {
    case 'block':
      return parseBlock(state)
    case 'break':
    case 'continue':
      return parseJump(state, token.kind, token.pos)
    case 'else':
      return parseElse(state)
    case 'end':
      expectToken(state, 'rightDelimiter', 'end')
      return { kind: 'end' }
    case 'if':
    case 'range':
    case 'with':
      return parseControl(state, token.kind)
    case 'template':
      return parseTemplateCall(state)
    default:
      tokens.putBack(token)
      return {
        kind: 'action',
        pos: token.pos,
        pipe: parsePipeline(state, 'command', 'rightDelimiter'),
      }
  }
}

function parseJump(state: ParseState, kind: 'break' | 'continue', pos: number): StatementNode {
  expectToken(state, 'rightDelimiter', `{{${kind}}}`)
  if (state.ranges === 0) fail(state, `{{${kind}}} outside {{range}}`)
  return { kind, pos }
}

/** Reads the rest of an `else` action, except an `if` or `with`. */
function parseElse(state: ParseState): ListEnd {
  const next = state.tokens.peekNonSpace()
  if (next.kind === 'if' || next.kind === 'with') return { kind: 'else', pos: next.pos }
  return { kind: 'else', pos: expectToken(state, 'rightDelimiter', 'else').pos }
}

function parseControl(state: ParseState, kind: 'if' | 'range' | 'with'): StatementNode {
  const mark = state.variables.mark()
  const pipe = parsePipeline(state, kind, 'rightDelimiter')
  if (kind === 'range') state.ranges += 1
  const [list, end] = nested(state, () => parseList(state))
  if (kind === 'range') state.ranges -= 1
  const elseList =
    end.kind === 'else' ? nested(state, () => parseElseList(state, kind, end.pos)) : undefined
  state.variables.leave(mark)
  return { kind, pos: pipe.pos, pipe, list, ...(elseList === undefined ? {} : { elseList }) }
}

/** Reads the list after `else`. An `else if` is an `else` with an `if` in it, and one `end` ends both. */
function parseElseList(state: ParseState, kind: 'if' | 'range' | 'with', pos: number): ListNode {
  const { tokens } = state
  if (kind !== 'range' && tokens.peek().kind === kind) {
    tokens.next()
    return { kind: 'list', pos, nodes: [parseControl(state, kind)] }
  }
  const [list, end] = parseList(state)
  if (end.kind !== 'end') fail(state, `expected end; found {{${end.kind}}}`)
  return list
}

function parseTemplateCall(state: ParseState): TemplateNode {
  const context = 'template clause'
  const { tokens } = state
  const token = tokens.nextNonSpace()
  const name = parseName(state, token, context)
  const next = tokens.nextNonSpace()
  if (next.kind === 'rightDelimiter') return { kind: 'template', pos: token.pos, name }
  tokens.putBack(next)
  return templateNode(token, name, parsePipeline(state, context, 'rightDelimiter'))
}

/** A block defines a template and calls it in the same place. */
function parseBlock(state: ParseState): TemplateNode {
  const context = 'block clause'
  const token = state.tokens.nextNonSpace()
  const name = parseName(state, token, context)
  const pipe = parsePipeline(state, context, 'rightDelimiter')
  const block = startTemplate(state)
  addTemplate(block, name, parseBody(block, context))
  return templateNode(token, name, pipe)
}

function templateNode({ pos }: Token, name: string, pipe: PipeNode): TemplateNode {
  return { kind: 'template', pos, name, pipe }
}
