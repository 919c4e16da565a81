import { CST, Lexer } from 'yaml'
import { type GatehouseError, isGatehouseError } from '../errors.ts'
import { type ConfigNode, parseConfigDocument } from './config-document.ts'
import type { ConfigProblem } from './config-problem.ts'
import { repeatedKey, syntaxError } from './problem.ts'

const maxAliasExpansions = 100
const coreTag =
  /^!(?:!(?:str|int|float|bool|null|map|seq)|<tag:yaml\.org,2002:(?:str|int|float|bool|null|map|seq)>)?$/

/**
 * Reads a text with one YAML document, without custom tags or duplicate keys, and with at most 100 expansions of aliases.
 *
 * @throws {GatehouseError} `InvalidConfig` with one problem, `syntax`.
 */
export function parseYamlDocument(text: string, filename?: string): ConfigNode {
  const root = parseDocument(text, filename)
  checkLexemes(text, filename)
  checkNode(root, { filename, expansions: new Map() })
  return root
}

function parseDocument(text: string, filename: string | undefined): ConfigNode {
  try {
    return parseConfigDocument(text, filename)
  } catch (error) {
    throw isGatehouseError(error) ? withoutQuotes(error, text, filename) : error
  }
}

/** Messages of the parser that quote the text after their first part. */
const quotingMessage = /(?:: "|(?<=not a YAML token|extra characters|escape sequence)).*$/is

/** Converts the parser's error to ours without its quotes, which may contain a secret. */
function withoutQuotes(
  error: GatehouseError,
  text: string,
  filename: string | undefined,
): GatehouseError {
  const { problems } = error.info
  // parseConfigDocument reports one ConfigProblem.
  const [problem] = Array.isArray(problems) ? (problems as readonly ConfigProblem[]) : []
  const message = error.message.replace(/^yaml: (?:line \d+: )?/, '').replace(quotingMessage, '')
  const place = problem ?? { line: 1, column: 1 }
  return syntaxError(bareReference(text, place.line) ?? message, place, filename)
}

/** Explains `${env:NAME}` without quotes, whose brace begins a mapping where braces or brackets are open. */
function bareReference(text: string, line: number): string | undefined {
  const near = text
    .split('\n')
    .slice(Math.max(0, line - 2), line)
    .join('\n')
  const kind = /(?:^|[:,[{\s])\$\{(env|file|cred):/.exec(near)?.[1]
  return (
    kind && `put "\${${kind}:…}" in quotes: inside of { } or [ ] its brace would begin a mapping`
  )
}

/** Checks the tokens of a valid text for things that its nodes do not show: further documents, and tags. */
function checkLexemes(text: string, filename: string | undefined): void {
  let offset = 0
  let documents = 0
  let previous: string | null = null
  for (const lexeme of new Lexer().lex(text)) {
    // The lexer announces a scalar, a document and an error by a mark that is not part of the text.
    const type: string | null = previous === 'scalar' ? 'content' : CST.tokenType(lexeme)
    const isMark = type === 'scalar' || type === 'doc-mode' || type === 'flow-error-end'
    if (type === 'doc-mode' || (type === 'doc-start' && previous !== 'doc-mode')) documents += 1
    if (documents > 1) {
      throw syntaxError('only one document is allowed', placeAt(text, offset), filename)
    }
    if (type === 'tag' && !coreTag.test(lexeme)) {
      const message = 'only the tags of the core schema are allowed, such as !!str'
      throw syntaxError(message, placeAt(text, offset), filename)
    }
    if (!isMark) offset += lexeme.length
    previous = type
  }
}

function placeAt(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset)
  const lastBreak = before.lastIndexOf('\n')
  return { line: before.split('\n').length, column: offset - lastBreak }
}

interface NodeCheck {
  readonly filename: string | undefined
  /** The number of alias expansions in each node. */
  readonly expansions: Map<ConfigNode, number>
}

/** Checks the content of a node; returns the number of its alias expansions. */
function checkNode(node: ConfigNode, check: NodeCheck): number {
  const known = check.expansions.get(node)
  // An alias is the same object as its node, so a node that is visited again was expanded once more.
  if (known !== undefined) return known + 1
  let expansions = 0
  for (const child of childrenOf(node, check.filename)) {
    expansions += checkNode(child, check)
    if (expansions <= maxAliasExpansions) continue
    const message = `aliases are expanded more than ${maxAliasExpansions} times`
    throw syntaxError(message, child, check.filename)
  }
  check.expansions.set(node, expansions)
  return expansions
}

/** Keys and values, or items. */
function childrenOf(node: ConfigNode, filename: string | undefined): readonly ConfigNode[] {
  if (node.kind === 'scalar') return []
  if (node.kind === 'sequence') return node.items
  const keys = new Set<string>()
  for (const { key } of node.entries) {
    if (key.kind !== 'scalar') throw syntaxError('a key must be text', key, filename)
    if (keys.has(key.text)) throw repeatedKey(key, filename)
    keys.add(key.text)
  }
  return node.entries.flatMap(({ key, value }) => [key, value])
}
