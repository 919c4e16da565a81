import { createHmac } from 'node:crypto'
import type { Sent } from './both-programs.ts'

/** A part of a hook. */
export type Keys = Readonly<Record<string, unknown>>

/** A request to a hook, and what happens. */
export interface HookCase {
  /** The rows of docs/from-adnanh-webhook.md that it tests. */
  readonly rows: readonly string[]
  readonly hook?: Keys
  readonly sent?: Sent
  /** `false` if nothing runs in either program. */
  readonly runs?: boolean
  /** What is different; else the command is given the same, and the sender gets the same. */
  readonly differs?: { readonly there: Outcome; readonly here: Outcome }
}

/** What one of the programs does. */
export interface Outcome {
  readonly status: number
  /** A part of the body. */
  readonly text?: string
  readonly args?: readonly string[]
  /** Whether the command runs, if that is different. */
  readonly runs?: boolean
}

/** The secret of signatures and tokens. */
export const secret = 'a-secret-of-the-tests'

const json = { 'content-type': 'application/json' }
const form = { 'content-type': 'application/x-www-form-urlencoded' }

/** A request with a JSON body. */
export const sending = (data: unknown, more: Sent = {}): Sent => ({
  ...more,
  headers: { ...json, ...more.headers },
  body: JSON.stringify(data),
})

/** A request whose body is signed with HMAC. */
export function signedBy(
  data: unknown,
  header: string,
  algorithm = 'sha256',
  prefix = `${algorithm}=`,
): Sent {
  const body = JSON.stringify(data)
  const digest = createHmac(algorithm, secret).update(body).digest('hex')
  return { headers: { ...json, [header]: `${prefix}${digest}` }, body }
}

/** A parameter of a hook. */
export const from = (source: string, name = '', more: Keys = {}): Keys => ({
  source,
  ...(name === '' ? {} : { name }),
  ...more,
})

/** A rule of one condition. */
export const match = (type: string, more: Keys): Keys => ({ match: { type, ...more } })

/** A rule that compares a value. */
export const equals = (source: string, name: string, value: string): Keys =>
  match('value', { value, parameter: from(source, name) })

/** A rule that checks an HMAC. */
export const hmac = (type: string, header: string): Keys =>
  match(type, { secret, parameter: from('header', header) })

const args = (...parameters: Keys[]): Keys => ({ 'pass-arguments-to-command': parameters })
const env = (...parameters: Keys[]): Keys => ({ 'pass-environment-to-command': parameters })
const files = (...parameters: Keys[]): Keys => ({ 'pass-file-to-command': parameters })
const rule = (condition: Keys): Keys => ({ 'trigger-rule': condition })
const quiet = { 'include-command-output-in-response': false }

/** A text that would be a reference in a file of ours. */
const dollars = ['$', '{data.a} $', '{env:HOME} $HOME $$'].join('')

const isMain = equals('payload', 'ref', 'main')
const isOurs = equals('header', 'X-Own', 'yes')
const main = sending({ ref: 'main' })
const ours = sending({ ref: 'main' }, { headers: { 'x-own': 'yes' } })

const signedRule = hmac('payload-hmac-sha256', 'X-Sig')
const isHere = match('ip-whitelist', { 'ip-range': '127.0.0.1/32 ::1/128' })
const isElsewhere = match('ip-whitelist', { 'ip-range': '10.0.0.0/8 2001:db8::/32' })
const wronglySigned = sending({ ref: 'main' }, { headers: { 'x-sig': `sha256=${'0'.repeat(64)}` } })

/** The properties of a hook. */
export const properties: readonly HookCase[] = [
  { rows: ['id'], hook: { id: 'team/app' } },
  { rows: ['execute-command'], hook: args(from('string', '; id $(id) "x"')) },
  {
    rows: ['execute-command'],
    hook: { 'execute-command': 'PROBE/is not there', ...quiet },
    runs: false,
    differs: { there: { status: 200 }, here: { status: 500, text: 'command_not_started' } },
  },
  { rows: ['command-working-directory'], hook: { 'command-working-directory': '/' } },
  { rows: ['response-message'], hook: { ...quiet, 'response-message': 'done ✓\n' } },
  { rows: ['response-message'], hook: quiet },
  { rows: ['response-message'], hook: { ...quiet, 'response-message': `5 ${dollars}` } },
  {
    rows: ['response-headers'],
    hook: { 'response-headers': [{ name: 'X-Own', value: 'a; b' }] },
  },
  {
    rows: ['success-http-response-code'],
    hook: { ...quiet, 'success-http-response-code': 202 },
  },
  { rows: ['success-http-response-code'], hook: { 'success-http-response-code': 303 } },
  { rows: ['http-methods'], hook: { 'http-methods': ['put', ' GET '] }, sent: { method: 'PUT' } },
  {
    rows: ['http-methods'],
    hook: { 'http-methods': ['GET'], ...args(from('url', 'q'), from('payload', 'q')) },
    sent: { method: 'GET', after: '?q=a%20b' },
    differs: {
      there: { status: 200, args: ['a b', ''] },
      here: { status: 200, args: ['a b', 'a b'] },
    },
  },
  { rows: ['http-methods'], hook: { 'http-methods': ['PUT'] }, runs: false },
  {
    rows: ['http-methods'],
    sent: { method: 'DELETE' },
    differs: { there: { status: 200 }, here: { status: 405, runs: false } },
  },
  { rows: ['include-command-output-in-response'], hook: args(from('string', 'ä ✓')) },
  {
    rows: ['include-command-output-in-response-on-error'],
    hook: {
      'include-command-output-in-response-on-error': true,
      ...env(from('string', '3', { envname: 'STATUS' })),
    },
  },
  {
    rows: ['include-command-output-in-response-on-error'],
    hook: {
      'include-command-output-in-response-on-error': false,
      ...env(from('string', '3', { envname: 'STATUS' })),
    },
    differs: { there: { status: 500, text: 'Error occurred' }, here: { status: 500, text: 'out' } },
  },
  {
    rows: ['pass-arguments-to-command'],
    hook: args(from('payload', 'a.b'), from('payload', 'none'), from('payload', 'c')),
    sent: sending({ a: { b: '--x y' }, c: '' }),
  },
  {
    rows: ['pass-environment-to-command'],
    hook: env(
      from('payload', 'name'),
      from('payload', 'none'),
      from('header', 'X-Own', { envname: 'GIVEN' }),
      from('string', ['$HOME ', '{x}'].join('$'), { envname: 'FIXED' }),
    ),
    sent: sending({ name: 'ä\nb' }, { headers: { 'x-own': 'yes' } }),
  },
  {
    rows: ['pass-environment-to-command'],
    hook: {
      ...env(from('payload', 'a.b-c'), from('string', 'é', { envname: 'ä b' })),
    },
    sent: sending({ a: { 'b-c': 1 } }),
  },
  {
    rows: ['pass-file-to-command'],
    hook: files(
      from('payload', 'file'),
      from('payload', 'none', { envname: 'OTHER' }),
      from('payload', 'binary', { envname: 'INPUT', base64decode: true }),
    ),
    sent: sending({ file: 'a\nb', binary: 'w6TDtg==' }),
  },
  {
    rows: ['parse-parameters-as-json'],
    hook: {
      'parse-parameters-as-json': [from('payload', 'payload')],
      ...args(from('payload', 'payload.state')),
      ...rule(equals('payload', 'payload.branch', 'main')),
    },
    sent: {
      headers: form,
      body: 'payload=%7B%22state%22%3A%22ok%22%2C%22branch%22%3A%22main%22%7D',
    },
  },
  {
    rows: ['parse-parameters-as-json'],
    hook: { 'parse-parameters-as-json': [from('header', 'X-Own')] },
    sent: sending({}, { headers: { 'x-own': '{}' } }),
    differs: { there: { status: 200 }, here: { status: 404, runs: false } },
  },
  {
    rows: ['incoming-payload-content-type'],
    hook: { 'incoming-payload-content-type': 'application/json', ...args(from('payload', 'a')) },
    sent: { headers: { 'content-type': 'text/plain' }, body: '{"a":"b"}' },
    differs: { there: { status: 200 }, here: { status: 404, runs: false } },
  },
  { rows: ['trigger-rule'], hook: rule(isMain), sent: main },
  { rows: ['trigger-rule'], hook: rule(isMain), sent: sending({ ref: 'x' }), runs: false },
  {
    rows: ['trigger-rule-mismatch-http-response-code'],
    hook: { ...rule(isMain), 'trigger-rule-mismatch-http-response-code': 403 },
    sent: sending({ ref: 'x' }),
    runs: false,
  },
  {
    rows: ['trigger-signature-soft-failures'],
    hook: {
      ...rule(signedRule),
      'trigger-signature-soft-failures': true,
    },
    sent: sending({}, { headers: { 'x-sig': 'sha256=00' } }),
    runs: false,
    differs: { there: { status: 500 }, here: { status: 401 } },
  },
  { rows: ['any other key'], hook: { 'http-method': 'GET', timeout: 5 }, sent: main },
]

/** The rules. */
export const rules: readonly HookCase[] = [
  { rows: ['no rule'], sent: main },
  {
    rows: ['{}'],
    hook: rule({}),
    sent: main,
    runs: false,
    differs: { there: { status: 200, text: 'not satisfied' }, here: { status: 404 } },
  },
  { rows: ['and'], hook: rule({ and: [isMain, isOurs] }), sent: ours },
  { rows: ['and'], hook: rule({ and: [isMain, isOurs] }), sent: main, runs: false },
  { rows: ['or'], hook: rule({ or: [isMain, isOurs] }), sent: main },
  { rows: ['or'], hook: rule({ or: [isMain, isOurs] }), sent: sending({}), runs: false },
  {
    rows: ['and', 'ip-whitelist'],
    hook: rule({ and: [signedRule, isHere, isMain] }),
    sent: signedBy({ ref: 'main' }, 'x-sig'),
  },
  {
    rows: ['and', 'ip-whitelist'],
    hook: rule({ and: [signedRule, isHere, isMain] }),
    sent: signedBy({ ref: 'x' }, 'x-sig'),
    runs: false,
  },
  ...[{}, { 'trigger-signature-soft-failures': true }].flatMap((soft) => [
    {
      rows: ['or', 'payload-hmac-sha256', 'ip-whitelist'],
      hook: { ...soft, ...rule({ or: [signedRule, isElsewhere] }) },
      sent: signedBy({ ref: 'main' }, 'x-sig'),
    },
    {
      rows: ['or', 'payload-hmac-sha256', 'ip-whitelist'],
      hook: { ...soft, ...rule({ or: [signedRule, isElsewhere] }) },
      sent: main,
      runs: false,
    },
    {
      rows: ['or', 'payload-hmac-sha256', 'ip-whitelist'],
      hook: { ...soft, ...rule({ or: [signedRule, isHere] }) },
      sent: main,
    },
    {
      rows: ['or', 'payload-hmac-sha256', 'ip-whitelist'],
      hook: { ...soft, ...rule({ or: [isHere, signedRule] }) },
      sent: wronglySigned,
    },
    {
      rows: ['or'],
      hook: { ...soft, ...rule({ or: [{ and: [signedRule, isMain] }, { not: isHere }] }) },
      sent: signedBy({ ref: 'main' }, 'x-sig'),
    },
    {
      rows: ['or'],
      hook: { ...soft, ...rule({ or: [{ and: [signedRule, isMain] }, { not: isHere }] }) },
      sent: signedBy({ ref: 'x' }, 'x-sig'),
      runs: false,
    },
  ]),
  {
    rows: ['or'],
    hook: {
      ...rule({ or: [signedRule, isOurs] }),
      'trigger-signature-soft-failures': true,
    },
    sent: { ...wronglySigned, headers: { ...wronglySigned.headers, 'x-own': 'yes' } },
  },
  {
    rows: ['or'],
    hook: rule({ or: [signedRule, isHere] }),
    sent: wronglySigned,
    differs: { there: { status: 500, runs: false }, here: { status: 200 } },
  },
  { rows: ['not', 'ip-whitelist'], hook: rule({ not: isElsewhere }), sent: main },
  { rows: ['not', 'ip-whitelist'], hook: rule({ not: isHere }), sent: main, runs: false },
  {
    rows: ['not'],
    hook: rule({ not: { or: [isOurs, isElsewhere, { not: isMain }] } }),
    sent: main,
  },
  {
    rows: ['not'],
    hook: rule({ not: signedRule }),
    sent: main,
    differs: { there: { status: 200 }, here: { status: 404, runs: false } },
  },
  { rows: ['not'], hook: rule({ not: isMain }), sent: sending({ ref: 'x' }) },
  { rows: ['not'], hook: rule({ not: isMain }), sent: sending({}) },
  { rows: ['not'], hook: rule({ not: isMain }), sent: main, runs: false },
  {
    rows: ['several of them'],
    hook: rule({ ...isMain, not: isMain }),
    sent: sending({ ref: 'x' }),
  },
  {
    rows: ['value'],
    hook: rule(equals('payload', 'n', '1.0')),
    sent: { headers: json, body: '{"n":1.0}' },
  },
  { rows: ['value'], hook: rule(equals('payload', 'n', dollars)), sent: sending({ n: dollars }) },
  { rows: ['value'], hook: rule(equals('payload', 'n', 'true')), sent: sending({ n: true }) },
  {
    rows: ['value'],
    hook: rule(equals('header', 'X-Token', secret)),
    sent: { headers: { 'x-token': secret } },
  },
  {
    rows: ['value'],
    hook: rule(equals('header', 'X-Token', secret)),
    sent: {},
    runs: false,
    differs: { there: { status: 200 }, here: { status: 401, text: 'invalid_token' } },
  },
  {
    rows: ['value'],
    hook: rule(equals('url', 'token', secret)),
    sent: { after: `?token=${secret}` },
  },
  {
    rows: ['value'],
    hook: rule(equals('payload', 'token', secret)),
    sent: sending({ token: secret }),
  },
  {
    rows: ['value'],
    hook: rule(equals('header', 'X-Gitlab-Token', secret)),
    sent: { headers: { 'x-gitlab-token': secret } },
  },
  {
    rows: ['value'],
    hook: rule(equals('header', 'Authorization', `Bearer ${secret}`)),
    sent: { headers: { authorization: `Bearer ${secret}` } },
  },
  {
    rows: ['value'],
    hook: rule(equals('header', 'Authorization', `Basic ${btoa(`ann:${secret}`)}`)),
    sent: { headers: { authorization: `Basic ${btoa(`ann:${secret}`)}` } },
  },
  {
    rows: ['regex'],
    hook: rule(match('regex', { regex: '^refs/tags/v\\d+', parameter: from('payload', 'ref') })),
    sent: sending({ ref: 'refs/tags/v12-x' }),
  },
  {
    rows: ['regex'],
    hook: rule(match('regex', { regex: '^v$', parameter: from('payload', 'ref') })),
    sent: sending({ ref: 'v1' }),
    runs: false,
  },
  ...(['sha1', 'sha256', 'sha512'] as const).flatMap((hash) => [
    {
      rows: [`payload-hmac-${hash}`],
      hook: rule(hmac(`payload-hmac-${hash}`, 'X-Sig')),
      sent: signedBy({ a: 1 }, 'x-sig', hash),
    },
    {
      rows: [`payload-hmac-${hash}`],
      hook: rule(hmac(`payload-hmac-${hash}`, 'X-Sig')),
      sent: signedBy({ a: 1 }, 'x-sig', hash, ''),
    },
    {
      rows: [`payload-hash-${hash}`],
      hook: rule(hmac(`payload-hash-${hash}`, 'X-Hub-Signature')),
      sent: signedBy({ a: 1 }, 'x-hub-signature', hash),
    },
  ]),
  {
    rows: ['payload-hmac-sha256'],
    hook: rule(hmac('payload-hmac-sha256', 'X-Hub-Signature-256')),
    sent: signedBy({ a: 1 }, 'x-hub-signature-256'),
  },
  {
    rows: ['payload-hmac-sha256'],
    hook: rule(hmac('payload-hmac-sha256', 'X-Gitea-Signature')),
    sent: signedBy({ a: 1 }, 'x-gitea-signature', 'sha256', ''),
  },
  {
    rows: ['payload-hmac-sha256'],
    hook: rule(hmac('payload-hmac-sha256', 'X-Sig')),
    sent: sending({}, { headers: { 'x-sig': 'sha256=00' } }),
    runs: false,
    differs: { there: { status: 500 }, here: { status: 401, text: 'invalid_signature' } },
  },
  {
    rows: ['payload-hmac-sha256'],
    hook: rule(hmac('payload-hmac-sha256', 'X-Sig')),
    sent: sending({}),
    runs: false,
    differs: { there: { status: 200 }, here: { status: 401, text: 'no signature' } },
  },
  {
    rows: ['ip-whitelist'],
    hook: rule(match('ip-whitelist', { 'ip-range': '10.0.0.0/8 127.0.0.1' })),
    sent: main,
  },
  {
    rows: ['ip-whitelist'],
    hook: rule(match('ip-whitelist', { 'ip-range': '10.0.0.0/8' })),
    sent: main,
    runs: false,
    differs: { there: { status: 200 }, here: { status: 403, text: 'address_not_allowed' } },
  },
  {
    rows: ['scalr-signature'],
    hook: rule(match('scalr-signature', { secret })),
    sent: sending({}, { headers: scalr('{}', new Date()) }),
  },
  {
    rows: ['scalr-signature'],
    hook: rule(match('scalr-signature', { secret })),
    sent: sending({}, { headers: scalr('{"a":1}', new Date()) }),
    runs: false,
    differs: { there: { status: 500 }, here: { status: 401, text: 'invalid_signature' } },
  },
  {
    rows: ['scalr-signature'],
    hook: rule(match('scalr-signature', { secret })),
    sent: sending({}, { headers: scalr('{}', new Date(Date.now() - 600_000)) }),
    runs: false,
    differs: { there: { status: 500 }, here: { status: 401, text: 'invalid_signature' } },
  },
]

/** Scalr signs the body and the time, in a format of its own. */
export function scalr(body: string, time: Date): Readonly<Record<string, string>> {
  const [, day, month, year, clock] = /^\w+, (\d+) (\w+) (\d+) (\S+)/.exec(time.toUTCString()) ?? []
  const date = `${time.toUTCString().slice(0, 3)} ${day} ${month} ${year} ${clock} UTC`
  const signature = createHmac('sha1', secret).update(body).update(date).digest('hex')
  return { date, 'x-signature': signature }
}

const xml = '<app><user id="1" name="Ann"/><user id="2"/><note>hi</note></app>'
const boundary = 'a-boundary'
const multipart = [
  `--${boundary}\r\ncontent-disposition: form-data; name="event"\r\n\r\nplay\r\n`,
  `--${boundary}\r\ncontent-disposition: form-data; name="payload"\r\ncontent-type: application/json\r\n\r\n{"a":"b"}\r\n`,
  `--${boundary}--\r\n`,
].join('')

/** The values that a request can have. */
export const values: readonly HookCase[] = [
  { rows: ['header'], hook: args(from('header', 'x-own')), sent: ours },
  {
    rows: ['url', 'query'],
    hook: args(from('url', 'q'), from('query', 'r')),
    sent: { after: '?q=1&q=2&r=%26' },
  },
  {
    rows: ['payload'],
    hook: args(
      from('payload', 'a.0.b'),
      from('payload', 'a.7'),
      from('payload', 'n'),
      from('payload', 'c.d'),
    ),
    sent: { headers: json, body: '{"a":[{"b":"x"}],"n":12345678901234567890.10,"c.d":"dotted"}' },
  },
  {
    rows: ['payload'],
    hook: args(from('payload', 'a'), from('payload', 'o')),
    sent: { headers: json, body: '{"a":[1,true,"x"],"o":{"b":1.50,"c":null}}' },
  },
  {
    rows: ['payload'],
    hook: args(from('payload', 'o')),
    sent: sending({ o: { b: '<&>', a: 1 } }),
    differs: {
      there: { status: 200, args: ['{"a":1,"b":"\\u003c\\u0026\\u003e"}'] },
      here: { status: 200, args: ['{"b":"<&>","a":1}'] },
    },
  },
  {
    rows: ['null'],
    hook: args(from('payload', 'a')),
    sent: sending({ a: null }),
    differs: { there: { status: 200, args: ['<nil>'] }, here: { status: 200, args: [''] } },
  },
  {
    rows: ['root'],
    hook: args(from('payload', 'root.1.event')),
    sent: sending([{}, { event: 'x' }]),
  },
  {
    rows: ['string'],
    hook: args(from('string', "it's"), from('string'), from('string', 'b'), from('payload', 'a')),
    sent: sending({ a: 'last' }),
  },
  {
    rows: ['string'],
    hook: args(from('string', 'a b'), from('string', '-x'), from('string', dollars)),
  },
  { rows: ['request'], hook: args(from('request', 'method')) },
  {
    rows: ['request'],
    hook: args(from('request', 'remote-addr')),
    differs: {
      there: { status: 200, text: 'out 127.0.0.1:' },
      here: { status: 200, text: 'out 127.0.0.1\n' },
    },
  },
  {
    rows: ['raw-request-body'],
    hook: args(from('raw-request-body')),
    sent: { headers: json, body: '{ "a" : 1 }' },
  },
  {
    rows: ['raw-request-body'],
    hook: files(from('raw-request-body', '', { envname: 'INPUT' })),
    sent: { headers: { 'content-type': 'text/plain' }, body: 'any text' },
  },
  {
    rows: ['entire-payload'],
    hook: args(from('entire-payload')),
    sent: sending({ a: { c: [1.5, 'x'] } }),
  },
  {
    rows: ['entire-query'],
    hook: args(from('entire-query')),
    sent: { after: '?b=1&a=%20&b=2&c' },
  },
  {
    rows: ['entire-query'],
    hook: {
      ...env(from('entire-query', '', { envname: 'QUERY' })),
      ...rule(match('regex', { regex: '"a":"x', parameter: from('entire-query') })),
    },
    sent: { after: '?a=xy' },
  },
  {
    rows: ['entire-headers'],
    hook: args(from('entire-headers')),
    sent: { headers: { 'x-own': 'yes', 'user-agent': 'a', 'x-GitHub-EVENT': 'p', x_odd: '1' } },
  },
  {
    rows: ['entire-headers'],
    hook: files(from('entire-headers', '', { envname: 'INPUT' })),
    sent: { headers: { authorization: 'Bearer x', cookie: 'a=b' } },
    differs: {
      there: { status: 200 },
      here: { status: 200 },
    },
  },
  {
    rows: ['a JSON body'],
    hook: args(from('payload', 'ref')),
    sent: { headers: { 'content-type': 'application/vnd.x+json' }, body: '{"ref":"main"}' },
  },
  {
    rows: ['a JSON body'],
    hook: args(from('payload', 'ref')),
    sent: { headers: json, body: '{"ref":' },
    differs: {
      there: { status: 200, args: [''] },
      here: { status: 400, text: 'invalid_json', runs: false },
    },
  },
  {
    rows: ['a form'],
    hook: args(from('payload', 'a'), from('payload', 'b[c]')),
    sent: { headers: form, body: 'a=1&a=2&b[c]=%26' },
  },
  {
    rows: ['multipart'],
    hook: {
      'parse-parameters-as-json': [from('payload', 'payload')],
      ...args(from('payload', 'event'), from('payload', 'payload.a')),
    },
    sent: {
      headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
      body: multipart,
    },
  },
  {
    rows: ['XML'],
    hook: args(from('payload', 'app.user.0.-name'), from('payload', 'app.note')),
    sent: { headers: { 'content-type': 'application/xml' }, body: xml },
  },
  { rows: ['no body'], hook: args(from('payload', 'a')), sent: {} },
  {
    rows: ['any other body'],
    hook: args(from('payload', 'a')),
    sent: { headers: { 'content-type': 'text/plain' }, body: 'a' },
  },
]
