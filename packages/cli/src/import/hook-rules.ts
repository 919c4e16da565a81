import { hasMark, withoutReferences, withReferences } from './hook-outside.ts'
import { listOf, NotCarriedOver, type Row, rowOf, sourceOf, textAt } from './hook-sources.ts'

/** The keys of a webhook that say who may send it requests. */
export interface HookAccess {
  readonly token?: string
  readonly tokens?: readonly string[]
  readonly token_in?: object
  readonly token_format?: 'plain'
  readonly signature?: object
  readonly auth?: 'both'
  readonly allow_ips?: readonly string[]
  readonly rules?: object
}

/** Names of values that are a secret. */
const secretName = /token|secret|passw|auth|(?:^|[-_]|api)key$/i

const hashes: Readonly<Record<string, string>> = {
  'payload-hmac-sha1': 'sha1',
  'payload-hmac-sha256': 'sha256',
  'payload-hmac-sha512': 'sha512',
  'payload-hash-sha1': 'sha1',
  'payload-hash-sha256': 'sha256',
  'payload-hash-sha512': 'sha512',
}

/** Only the first of these keys counts. */
const kinds = ['and', 'or', 'not', 'match'] as const

const kindOf = (rule: Row): (typeof kinds)[number] | undefined =>
  kinds.find((key) => rule[key] !== undefined && rule[key] !== null)

/** The conditions that must all hold. */
function conditionsOf(rule: Row): readonly Row[] {
  return kindOf(rule) === 'and'
    ? listOf(rule.and).flatMap((one) => conditionsOf(rowOf(one)))
    : [rule]
}

/**
 * Converts the trigger rule of a hook: the proofs of a sender become a token, a signature or addresses, the rest stays a rule.
 *
 * @throws {NotCarriedOver} if the rule cannot be kept.
 */
export function accessOf(rule: Row, mismatchStatus: number): HookAccess {
  let access: HookAccess = {}
  const rules: object[] = []
  for (const condition of conditionsOf(rule)) {
    const proof = proofOf(condition)
    const isTaken = Object.keys(proof ?? {}).some((key) => key in access)
    // A webhook has one token, one signature and one list of addresses; others are rules.
    if (proof === undefined || isTaken) rules.push(ruleOf(condition))
    else access = { ...access, ...proof }
  }
  if ('token' in access && 'signature' in access) access = { ...access, auth: 'both' }
  const [first, ...others] = rules
  if (first === undefined) return access
  const whole = others.length === 0 ? first : { all: rules }
  return {
    ...access,
    rules: mismatchStatus === 200 ? whole : { ...whole, mismatch_status: mismatchStatus },
  }
}

/** The proof that a condition is; `undefined` if it is a rule. */
function proofOf(condition: Row): HookAccess | undefined {
  const kind = kindOf(condition)
  if (kind === 'or') return rotated(listOf(condition.or).map((one) => rowOf(rowOf(one).match)))
  if (kind !== 'match') return undefined
  const match = rowOf(condition.match)
  const type = textAt(match, 'type')
  if (type === 'ip-whitelist') {
    return { allow_ips: rangesOf(match) }
  }
  return isSignature(match) ? { signature: signatureOf(match) } : tokenOf(match)
}

const rangesOf = (match: Row): readonly string[] => textAt(match, 'ip-range').trim().split(/\s+/)

/** Alternatives that are signatures in one header, or tokens in one place, while a secret is rotated. */
function rotated(matches: readonly Row[]): HookAccess | undefined {
  if (matches.some(isSignature)) {
    // Other alternatives stay rules.
    if (!matches.every(isSignature)) return undefined
    const signatures = matches.map(signatureOf)
    const [first, ...others] = signatures.map(({ secret: _, ...rest }) => rest)
    if (others.some((one) => !sameKeys(one, first))) return undefined
    return { signature: { ...first, secrets: signatures.map(({ secret }) => secret) } }
  }
  const accesses = matches.map(tokenOf)
  const tokens = accesses.flatMap((access) => access?.token ?? [])
  const [first, ...others] = accesses.map((access) => ({ ...access, token: undefined }))
  const isOnePlace = tokens.length === matches.length && others.every((one) => sameKeys(one, first))
  if (first === undefined || !isOnePlace) return undefined
  const [token = '', ...more] = tokens
  return { ...first, token, ...(more.length === 0 ? {} : { tokens: more }) }
}

const sameKeys = (one: object, other: object | undefined): boolean =>
  JSON.stringify(one) === JSON.stringify(other)

const isSignature = (match: Row): boolean => {
  const type = textAt(match, 'type')
  return type === 'scalr-signature' || hashes[type] !== undefined
}

function signatureOf(match: Row): { readonly secret: string; readonly [key: string]: string } {
  if (textAt(match, 'type') === 'scalr-signature') return scalrSignature(match)
  const algorithm = hashes[textAt(match, 'type')]
  const { source, name: header = '' } = namesOf(match)
  if (algorithm === undefined || source !== 'header') {
    throw new NotCarriedOver('a signature is in no header')
  }
  const secret = withReferences(textAt(match, 'secret'))
  if (/^x-hub-signature-256$/i.test(header) && algorithm === 'sha256') {
    return { scheme: 'github', secret }
  }
  return { scheme: 'hmac', header, algorithm, secret }
}

/** Its time is signed behind the body, as a date without a comma. */
function scalrSignature(match: Row): { readonly secret: string; readonly [key: string]: string } {
  return {
    scheme: 'hmac',
    header: 'X-Signature',
    algorithm: 'sha1',
    signed: '{body}{timestamp}',
    timestamp_header: 'Date',
    timestamp_unit: 'http',
    secret: withReferences(textAt(match, 'secret')),
  }
}

function namesOf(match: Row): { readonly source: string; readonly name: string } {
  const parameter = rowOf(match.parameter)
  return { source: textAt(parameter, 'source'), name: textAt(parameter, 'name') }
}

/** A comparison with a secret, which is a signature or a token here and compared in constant time. */
function tokenOf(match: Row): HookAccess | undefined {
  if (textAt(match, 'type') !== 'value') return undefined
  const { source, name } = namesOf(match)
  const written = textAt(match, 'value')
  const value = withReferences(written)
  // What a file does not say itself is a secret, whatever its name.
  if (value === '' || !(secretName.test(name) || hasMark(written))) return undefined
  if (source === 'url' || source === 'query') {
    return { token: value, token_format: 'plain', token_in: { query: name } }
  }
  if (source !== 'header') return undefined
  if (/^x-gitlab-token$/i.test(name))
    return { signature: { scheme: 'gitlab-token', secret: value } }
  if (!/^authorization$/i.test(name)) {
    return { token: value, token_format: 'plain', token_in: { header: name } }
  }
  const [, scheme = '', credentials = ''] = /^(bearer|basic) +(\S+)$/i.exec(value) ?? []
  if (scheme.toLowerCase() === 'bearer') return { token: credentials, token_format: 'plain' }
  const [, password] = /^[^:]*:(.+)$/s.exec(Buffer.from(credentials, 'base64').toString()) ?? []
  if (password === undefined) {
    throw new NotCarriedOver('only Bearer and Basic are read from Authorization')
  }
  return { token: password, token_format: 'plain', token_in: { basic: true } }
}

/** A condition on values. */
function ruleOf(condition: Row): object {
  const kind = kindOf(condition)
  if (kind === 'and') return { all: listOf(condition.and).map((one) => ruleOf(rowOf(one))) }
  if (kind === 'or') return { any: listOf(condition.or).map((one) => ruleOf(rowOf(one))) }
  if (kind === 'not') {
    const rule = ruleOf(rowOf(condition.not))
    // A wrong signature was an error, and would satisfy this rule.
    if (JSON.stringify(rule).includes('"signature":{')) {
      throw new NotCarriedOver('a signature must not be there')
    }
    return { not: rule }
  }
  const match = rowOf(condition.match)
  const type = textAt(match, 'type')
  if (isSignature(match)) return { signature: signatureOf(match) }
  if (type === 'ip-whitelist') return { client_ip: rangesOf(match) }
  if (type !== 'value' && type !== 'regex') {
    throw new NotCarriedOver(`a rule of the type ${JSON.stringify(type)} stands where none can be`)
  }
  const source = sourceOf(rowOf(match.parameter))
  return type === 'value'
    ? { source, equals: withoutReferences(textAt(match, 'value')) }
    : { source, pattern: textAt(match, 'regex') }
}
