import type {
  YamlMapping,
  YamlNode,
  YamlScalarNode,
  YamlSequence,
} from '@gatehouse/go-template/yaml'
import {
  type Alias,
  Composer,
  type CST,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  type Node,
  Parser,
} from 'yaml'
import { decodeInput, optional, rawText } from '../input/decode.ts'
import { type ConfigProblem, invalidConfig } from './config-problem.ts'

/** A single value, as text. */
export type ScalarNode = YamlScalarNode

/** A list. */
export type SequenceNode = YamlSequence

/** A mapping; duplicate keys and merge keys (`<<`) are still in it. */
export type MappingNode = YamlMapping

/** A node of a YAML document with its place. An alias becomes the node that it refers to. */
export type ConfigNode = YamlNode

const maxCharacters = 4 * 1024 * 1024
const maxLexemes = 1_000_000
const maxDepth = 256
const maxAliasedNodes = 100_000

/**
 * Reads the first YAML document of a text without giving its scalars a type. An empty document is an empty scalar. Limits: 4 MiB
 * of text, a million tokens, 256 levels, 100,000 nodes from aliases.
 *
 * @throws {GatehouseError} `InvalidConfig` if the text is not YAML or too large.
 */
export function parseConfigDocument(given: string, filename?: string): ConfigNode {
  const text = decodeInput('text', rawText, given)
  decodeInput('filename', optional(rawText), filename)
  const lines = new LineCounter()
  const fail = (message: string, offset: number): never => {
    const { line, col } = lines.linePos(offset)
    const problem: ConfigProblem = {
      path: '',
      line: Math.max(line, 1),
      column: Math.max(col, 1),
      message,
    }
    throw invalidConfig(message, [problem], filename)
  }
  if (text.length > maxCharacters)
    fail(`yaml: document is larger than ${maxCharacters} characters`, 0)
  const source = text.replace(/\p{Surrogate}/gu, '\ufffd')
  checkCharacters(source, fail)
  return convert(compose(source, lines, fail), lines, fail)
}

type Fail = (message: string, offset: number) => never

const emptyNode: ScalarNode = {
  kind: 'scalar',
  text: '',
  isPlain: true,
  line: 1,
  column: 1,
  start: 0,
  end: 0,
}

function checkCharacters(text: string, fail: Fail): void {
  const at = text.search(/[^\t\n\r\x20-\x7e\x85\xa0-\ufffd\u{10000}-\u{10ffff}]/u)
  if (at >= 0) fail('yaml: control characters are not allowed', at)
}

/** The first document; `null` if it is empty. */
function compose(text: string, lines: LineCounter, fail: Fail): Node | null {
  // Every tag is left to the reader of the document, even one that the library could resolve, such as `!!binary`.
  const composer = new Composer({ schema: 'failsafe', resolveKnownTags: false, uniqueKeys: false })
  for (const document of composer.compose(parse(text, lines, fail), true, text.length)) {
    const [error] = document.errors
    if (error === undefined) return document.contents
    const [offset] = error.pos
    const { line } = lines.linePos(offset)
    fail(
      `yaml: line ${line}: ${error.message.charAt(0).toLowerCase()}${error.message.slice(1)}`,
      offset,
    )
  }
  return null
}

/** The composer recurses, so limit the depth before it sees a document. */
function* parse(text: string, lines: LineCounter, fail: Fail): Generator<CST.Token> {
  const parser = new Parser(lines.addNewLine)
  lines.addNewLine(0)
  let lexemes = 0
  for (const lexeme of new Lexer().lex(text)) {
    yield* parser.next(lexeme)
    if (++lexemes > maxLexemes) {
      fail(`yaml: document has more than ${maxLexemes} tokens`, parser.offset)
    }
    if (parser.stack.length > maxDepth) {
      fail(`yaml: document is nested deeper than ${maxDepth} levels`, parser.offset)
    }
  }
  yield* parser.end()
}

interface Conversion {
  readonly lines: LineCounter
  readonly fail: Fail
  /** The node of each anchor so far; `undefined` while it is being read. */
  readonly anchors: Map<string, Sized | undefined>
  aliasedNodes: number
}

/** A node, and the number of its nodes after its aliases are expanded. */
interface Sized {
  readonly node: ConfigNode
  readonly size: number
}

function convert(root: Node | null, lines: LineCounter, fail: Fail): ConfigNode {
  if (root === null) return emptyNode
  return convertNode(root, { lines, fail, anchors: new Map(), aliasedNodes: 0 }).node
}

function convertNode(node: Node, conversion: Conversion): Sized {
  if (isAlias(node)) return convertAlias(node, conversion)
  const anchor = isScalar(node) || isMap(node) || isSeq(node) ? node.anchor : undefined
  if (anchor !== undefined) conversion.anchors.set(anchor, undefined)
  const converted = convertContent(node, conversion)
  if (anchor !== undefined) conversion.anchors.set(anchor, converted)
  return converted
}

function convertAlias(alias: Alias, conversion: Conversion): Sized {
  const { anchors, fail } = conversion
  const name = alias.source
  const target = anchors.get(name)
  const offset = alias.range?.[0] ?? 0
  if (target === undefined) {
    const isOpen = anchors.has(name)
    return fail(
      isOpen
        ? `yaml: anchor '${name}' value contains itself`
        : `yaml: unknown anchor '${name}' referenced`,
      offset,
    )
  }
  conversion.aliasedNodes += target.size
  if (conversion.aliasedNodes > maxAliasedNodes) {
    fail('yaml: document contains excessive aliasing', offset)
  }
  return target
}

function convertContent(node: Node, conversion: Conversion): Sized {
  const [start, end] = node.range ?? [0, 0]
  const { line, col: column } = conversion.lines.linePos(start)
  const place = { line, column, start, end }
  let size = 1
  const child = (given: unknown): ConfigNode => {
    if (!isScalar(given) && !isMap(given) && !isSeq(given) && !isAlias(given)) {
      return { ...emptyNode, ...place }
    }
    const converted = convertNode(given, conversion)
    size += converted.size
    return converted.node
  }
  if (isMap(node)) {
    const entries = node.items.map(({ key, value }) => ({ key: child(key), value: child(value) }))
    return { node: { kind: 'mapping', entries, ...place }, size }
  }
  if (isSeq(node)) {
    return { node: { kind: 'sequence', items: node.items.map(child), ...place }, size }
  }
  if (!isScalar(node)) return { node: { ...emptyNode, ...place }, size }
  const tag = node.tag?.replace('tag:yaml.org,2002:', '!!')
  const text = typeof node.value === 'string' ? node.value : ''
  const scalar: ScalarNode = { kind: 'scalar', text, isPlain: node.type === 'PLAIN', ...place }
  return { node: tag === undefined ? scalar : { ...scalar, tag }, size }
}
