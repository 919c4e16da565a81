import { GatehouseError } from '../../../errors.ts'

/** A sender or recipient of email. */
export interface MailAddress {
  /** Without quotes and comments; empty if none is given. */
  readonly name: string
  /** Such as `alice@example.org`. */
  readonly address: string
}

interface Token {
  readonly kind: 'word' | 'quoted' | 'literal' | 'mark'
  readonly text: string
}

const tokenKinds: readonly (readonly [kind: Token['kind'], pattern: RegExp])[] = [
  ['quoted', /"(?:[^"\\\p{Cc}]|\\[^\p{Cc}]|\t)*"/uy],
  ['literal', /\[[^[\]\\\p{Cc} ]*\]/uy],
  ['word', /[^\p{Cc}\p{Z}()<>[\]:;@\\,."]+/uy],
  ['mark', /[,;:<>@.]/y],
]

/**
 * Parses a list of addresses as in the header `To`: `Alice <a@example.org>, b@example.org`. Groups are replaced by their members.
 *
 * @throws {GatehouseError} `InvalidAddress`
 * @see RFC 5322, section 3.4
 */
export function parseMailAddresses(text: string): readonly MailAddress[] {
  const tokens = tokenize(text)
  const addresses: MailAddress[] = []
  let isInGroup = false
  let entry: Token[] = []
  const finish = (): void => {
    if (entry.length > 0) addresses.push(toAddress(entry))
    entry = []
  }
  for (const token of tokens) {
    const { kind, text: mark } = token
    if (kind !== 'mark' || !',:;'.includes(mark)) {
      entry.push(token)
      continue
    }
    if (mark === ':') {
      // The text before the colon is the name of a group.
      if (isInGroup || !isPhrase(entry)) throw invalidAddress('misplaced ":"')
      entry = []
    } else finish()
    if (mark === ';' && !isInGroup) throw invalidAddress('misplaced ";"')
    if (mark !== ',') isInGroup = mark === ':'
  }
  finish()
  if (isInGroup) throw invalidAddress('missing ";" after a group')
  if (addresses.length === 0) throw invalidAddress('no address')
  return addresses
}

function invalidAddress(problem: string): GatehouseError {
  return new GatehouseError('Invalid', 'InvalidAddress', `mail: ${problem}`)
}

function tokenize(text: string): readonly Token[] {
  const tokens: Token[] = []
  let at = afterBlank(text, 0)
  while (at < text.length) {
    const token = tokenAt(text, at)
    tokens.push(token)
    at = afterBlank(text, at + token.text.length)
  }
  return tokens
}

function tokenAt(text: string, at: number): Token {
  for (const [kind, pattern] of tokenKinds) {
    pattern.lastIndex = at
    const found = pattern.exec(text)?.[0]
    if (found !== undefined) return { kind, text: found }
  }
  throw invalidAddress(text.charAt(at) === '"' ? 'unclosed quoted-string' : 'invalid character')
}

/** The start of the next token, after blanks and comments, which may be nested. */
function afterBlank(text: string, start: number): number {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    const character = text.charAt(at)
    if (character === '(') depth++
    else if (depth === 0 && !/\s/.test(character)) return at
    else if (character === ')') depth--
    else if (character === '\\') at++
  }
  if (depth > 0) throw invalidAddress('unclosed comment')
  return text.length
}

function toAddress(tokens: readonly Token[]): MailAddress {
  const open = tokens.findIndex(isMark('<'))
  if (open < 0) return { name: '', address: addressOf(tokens) }
  const name = tokens.slice(0, open)
  if (open > 0 && !isPhrase(name)) throw invalidAddress('invalid name before an address')
  const last = tokens.length - 1
  if (tokens.findIndex(isMark('>')) !== last) throw invalidAddress('unclosed angle-addr')
  return { name: phraseText(name), address: addressOf(tokens.slice(open + 1, last)) }
}

/** `local-part@domain`: words between dots, or text in quotes or brackets. */
function addressOf(tokens: readonly Token[]): string {
  const at = tokens.findIndex(isMark('@'))
  if (at < 0) throw invalidAddress("missing '@' or angle-addr")
  const [local, domain] = [tokens.slice(0, at), tokens.slice(at + 1)]
  if (!isOne(local, 'quoted') && !isDotted(local)) throw invalidAddress('invalid local part')
  if (!isOne(domain, 'literal') && !isDotted(domain)) throw invalidAddress('invalid domain')
  return tokens.map(({ text }) => text).join('')
}

const isMark =
  (mark: string) =>
  ({ kind, text }: Token): boolean =>
    kind === 'mark' && text === mark

const isOne = (tokens: readonly Token[], kind: Token['kind']): boolean =>
  tokens.length === 1 && tokens[0]?.kind === kind

const isDotted = (tokens: readonly Token[]): boolean =>
  tokens.length % 2 === 1 &&
  tokens.every((token, index) => (index % 2 === 0 ? token.kind === 'word' : isMark('.')(token)))

const isPhrase = (tokens: readonly Token[]): boolean =>
  tokens.length > 0 &&
  tokens.every((token) => token.kind === 'word' || token.kind === 'quoted' || isMark('.')(token))

function phraseText(tokens: readonly Token[]): string {
  return tokens.reduce((text, token) => {
    const word =
      token.kind === 'quoted' ? token.text.slice(1, -1).replace(/\\(.)/gs, '$1') : token.text
    return text === '' || isMark('.')(token) ? text + word : `${text} ${word}`
  }, '')
}
