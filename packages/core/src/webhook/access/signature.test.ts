import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { Secret } from '../../crypto/secret.ts'
import { formatsOf, noFormat, type WrittenFormat } from '../config/signature.ts'
import { sampleDelivery } from '../request/delivery.fixture.ts'
import { parseSource } from '../request/source.ts'
import type { SignatureOptions } from '../webhook.ts'
import { verifySignature } from './signature.ts'

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)
const body = Uint8Array.of(0, 0xff, 0x7b, 0xc3)
const seconds = 1_700_000_000

function sign(
  key: string | Uint8Array,
  pieces: readonly (string | Uint8Array)[],
  encoding: 'hex' | 'base64' = 'hex',
  algorithm = 'sha256',
): string {
  const bytes = pieces.map((piece) => (typeof piece === 'string' ? encode(piece) : piece))
  return createHmac(algorithm, key).update(Buffer.concat(bytes)).digest(encoding)
}

interface Attempt {
  readonly options: Partial<WrittenFormat> &
    Pick<WrittenFormat, 'scheme'> &
    Partial<Pick<SignatureOptions, 'timestamp_source'>>
  readonly secrets?: readonly string[]
  readonly headers?: Readonly<Record<string, string>>
  readonly rawBody?: Uint8Array | undefined
  /** The same body as JSON (default `{}`). */
  readonly json?: string
  readonly isBodyRebuilt?: boolean
  readonly now?: number
}

function verdictOf(attempt: Attempt): string {
  const { options, secrets = ['k'], headers = {}, now = seconds * 1000 } = attempt
  const verdict = verifySignature(
    {
      formats: formatsOf({ ...noFormat, header: 'X-Sig', ...options }),
      secrets: secrets.map((secret) => new Secret(secret)),
      public_keys: [],
      tolerance: 300_000,
      timestamp_source: options.timestamp_source,
      url: undefined,
      audience: undefined,
    },
    {
      ...sampleDelivery({ body: attempt.json ?? '{}', headers }),
      rawBody: 'rawBody' in attempt ? attempt.rawBody : body,
      isBodyRebuilt: attempt.isBodyRebuilt ?? false,
    },
    now,
  )
  return verdict.accepted ? 'accepted' : verdict.reason
}

const github = (value: string, secrets?: readonly string[]): string =>
  verdictOf({
    options: { scheme: 'github' },
    headers: { 'x-hub-signature-256': value },
    ...(secrets === undefined ? {} : { secrets }),
  })

const stripe = (value: string, now?: number): string =>
  verdictOf({
    options: { scheme: 'stripe' },
    headers: { 'stripe-signature': value },
    ...(now === undefined ? {} : { now }),
  })

describe('verifySignature', () => {
  it('signs bytes that are not text', () => {
    expect(github(`sha256=${sign('k', [body])}`)).toBe('accepted')
    expect(github(`sha256=${sign('k', [new TextDecoder().decode(body)])}`)).toBe(
      'signature_mismatch',
    )
  })

  it('tries every secret on every signature', () => {
    const offered = `sha256=${'0'.repeat(64)}, sha256=${sign('b', [body]).toUpperCase()},x`
    expect(github(offered, ['a', 'b', 'c'])).toBe('accepted')
    expect(github(offered, ['a', 'c'])).toBe('signature_mismatch')
    expect(github(offered, [])).toBe('signature_mismatch')
  })

  it.each([
    '',
    'sha256=',
    `sha256=${'0'.repeat(63)}`,
    `sha256=${'0'.repeat(65)}`,
    `sha256=${'g'.repeat(64)}`,
    'x'.repeat(9_999),
  ])('treats %j as malformed', (value) => {
    expect(github(value)).toBe('signature_malformed')
  })

  it('treats a request without raw bytes as unsigned', () => {
    const headers = { 'x-hub-signature-256': `sha256=${sign('k', [''])}` }
    expect(verdictOf({ options: { scheme: 'github' }, headers, rawBody: undefined })).toBe(
      'signature_missing',
    )
    expect(verdictOf({ options: { scheme: 'github' }, headers, rawBody: encode('') })).toBe(
      'accepted',
    )
  })

  it('reports a body that a parser rebuilt, not a wrong signature', () => {
    const wrong = { 'x-hub-signature-256': `sha256=${'0'.repeat(64)}` }
    const rebuilt = { options: { scheme: 'github' }, isBodyRebuilt: true } as const
    expect(verdictOf({ ...rebuilt, headers: wrong })).toBe('body_was_parsed')
    expect(verdictOf({ ...rebuilt })).toBe('signature_missing')
    const token = { options: { scheme: 'gitlab-token' }, isBodyRebuilt: true } as const
    expect(verdictOf({ ...token, headers: { 'x-gitlab-token': 'k' } })).toBe('accepted')
    expect(verdictOf({ ...token, headers: { 'x-gitlab-token': 'x' } })).toBe('signature_mismatch')
  })

  it('knows the three header names of Gitea', () => {
    for (const name of ['x-gitea-signature', 'x-forgejo-signature', 'x-gogs-signature']) {
      const options = { scheme: 'gitea' } as const
      expect(verdictOf({ options, headers: { [name]: sign('k', [body]) } })).toBe('accepted')
      expect(verdictOf({ options, headers: { [name]: sign('x', [body]) } })).toBe(
        'signature_mismatch',
      )
      expect(verdictOf({ options, headers: { [name]: 'x' } })).toBe('signature_malformed')
    }
    expect(verdictOf({ options: { scheme: 'gitea' } })).toBe('signature_missing')
  })

  it('compares the token of GitLab with every secret', () => {
    const gitlab = (headers: Readonly<Record<string, string>>): string =>
      verdictOf({ options: { scheme: 'gitlab-token' }, secrets: ['a', 'é'], headers })
    expect(gitlab({ 'x-gitlab-token': 'é' })).toBe('accepted')
    expect(gitlab({ 'x-gitlab-token': '' })).toBe('signature_mismatch')
    expect(gitlab({})).toBe('signature_missing')
  })

  it('accepts a timestamp up to the tolerance, before and after', () => {
    const signed = (at: number): string => `t=${at},v1=${sign('k', [`${at}.`, body])}`
    expect(stripe(signed(seconds - 300))).toBe('accepted')
    expect(stripe(signed(seconds + 300))).toBe('accepted')
    expect(stripe(signed(seconds - 300), seconds * 1000 + 999)).toBe('accepted')
    expect(stripe(signed(seconds - 301))).toBe('timestamp_out_of_tolerance')
    expect(stripe(signed(seconds + 301))).toBe('timestamp_out_of_tolerance')
  })

  it.each(['', '-1', '1.5', '1e9', ' ', '0x1', '9'.repeat(16), 'NaN'])(
    'treats the timestamp %j as malformed',
    (at) => {
      expect(stripe(`t=${at},v1=${sign('k', [`${at}.`, body])}`)).toBe('signature_malformed')
    },
  )

  it.each([
    ['Tue, 14 Nov 2023 22:13:20 GMT', 'accepted'],
    ['Tue 14 Nov 2023 22:18:20 UTC', 'accepted'],
    ['Tue 14 Nov 2023 22:18:21 UTC', 'timestamp_out_of_tolerance'],
    ['Tue 14 Nov 2023 22:08:19 UTC', 'timestamp_out_of_tolerance'],
    ['Tue 99 Nov 2023 22:13:20 UTC', 'timestamp_out_of_tolerance'],
    ['Tue 14 Nov 2023 22:13:20 PST', 'signature_malformed'],
    ['2023-11-14T22:13:20Z', 'signature_malformed'],
    [String(seconds), 'signature_malformed'],
  ])('reads the date %s of a header', (date, verdict) => {
    const signed = sign('k', [body, date], 'hex', 'sha1')
    const options = {
      scheme: 'hmac',
      algorithm: 'sha1',
      signed: '{body}{timestamp}',
      timestamp_header: 'Date',
      timestamp_unit: 'http',
    } as const
    expect(verdictOf({ options, headers: { 'x-sig': signed, date } })).toBe(verdict)
  })

  it('requires one timestamp of Stripe, and a signature', () => {
    const v1 = `v1=${sign('k', [`${seconds}.`, body])}`
    expect(stripe(v1)).toBe('signature_malformed')
    expect(stripe(`t=${seconds},t=${seconds},${v1}`)).toBe('signature_malformed')
    expect(stripe(`t=${seconds}`)).toBe('signature_malformed')
    expect(stripe(`t=${seconds},${v1.replace('v1', 'v0')}`)).toBe('signature_malformed')
    expect(stripe(`t=${seconds}, ${v1}`)).toBe('accepted')
  })

  it('requires both headers of Slack', () => {
    const value = `v0=${sign('k', [`v0:${seconds}:`, body])}`
    const slack = (headers: Readonly<Record<string, string>>): string =>
      verdictOf({ options: { scheme: 'slack' }, headers })
    const timestamp = { 'x-slack-request-timestamp': String(seconds) }
    expect(slack({ ...timestamp, 'x-slack-signature': value })).toBe('accepted')
    expect(slack({ 'x-slack-signature': value })).toBe('signature_missing')
    expect(slack(timestamp)).toBe('signature_missing')
    expect(slack({ ...timestamp, 'x-slack-signature': value.slice(3) })).toBe('signature_malformed')
  })

  it('never signs with the empty key that an invalid secret would decode to', () => {
    const headers = {
      'webhook-id': 'm',
      'webhook-timestamp': String(seconds),
      'webhook-signature': `v1,${sign('', [`m.${seconds}.`, body], 'base64')}`,
    }
    const options = { scheme: 'standard' } as const
    expect(verdictOf({ options, headers, secrets: ['whsec_', '!!'] })).toBe('signature_mismatch')
    expect(verdictOf({ options, headers: { ...headers, 'webhook-signature': 'v1a,x v2,y' } })).toBe(
      'signature_malformed',
    )
  })

  it('reads a signature of Shopify', () => {
    const shopify = (value: string): string =>
      verdictOf({ options: { scheme: 'shopify' }, headers: { 'x-shopify-hmac-sha256': value } })
    expect(shopify(sign('k', [body], 'base64'))).toBe('accepted')
    expect(shopify(sign('k', [body], 'hex'))).toBe('signature_malformed')
    expect(verdictOf({ options: { scheme: 'shopify' } })).toBe('signature_missing')
  })

  it.each(['sha1', 'sha256', 'sha512'] as const)('can be configured for %s', (algorithm) => {
    const options = {
      scheme: 'hmac',
      algorithm,
      encoding: 'base64',
      prefix: 'v=',
      signed: '{timestamp}|{body}|{body}$&',
      timestamp_header: 'X-At',
    } as const
    const value = `v=${sign('k', [`${seconds}|`, body, '|', body, '$&'], 'base64', algorithm)}`
    const headers = { 'x-sig': value, 'x-at': String(seconds) }
    expect(verdictOf({ options, headers })).toBe('accepted')
    expect(verdictOf({ options, headers: { ...headers, 'x-at': `0${seconds}` } })).toBe(
      'signature_mismatch',
    )
    expect(verdictOf({ options, headers: { ...headers, 'x-at': '0' } })).toBe(
      'timestamp_out_of_tolerance',
    )
    expect(verdictOf({ options, headers: { 'x-sig': value } })).toBe('signature_missing')
    expect(verdictOf({ options, headers: { 'x-at': String(seconds) } })).toBe('signature_missing')
    expect(verdictOf({ options, headers: { ...headers, 'x-sig': value.slice(2) } })).toBe(
      'signature_malformed',
    )
  })

  it.each([
    { prefix: '', encoding: 'hex' },
    { prefix: 'sha256=', encoding: 'hex' },
    { prefix: 'v1,', encoding: 'base64' },
    { prefix: 'HMAC ', encoding: 'base64' },
  ] as const)('may be one of a list, with the prefix $prefix', ({ prefix, encoding }) => {
    const options = { scheme: 'hmac', prefix, encoding } as const
    const [good, bad] = ['k', 'old'].map((key) => `${prefix}${sign(key, [body], encoding)}`)
    const verdictIn = (value: string): string => verdictOf({ options, headers: { 'x-sig': value } })
    for (const list of [`${bad},${good}`, `${good},${bad}`, `${bad}, ${good}`, `${bad} ${good}`]) {
      expect(verdictIn(list)).toBe('accepted')
    }
    expect(verdictIn(`${bad},${bad}`)).toBe('signature_mismatch')
    expect(verdictIn(',')).toBe('signature_malformed')
  })

  it.each(['sha1', 'sha256', 'sha512'] as const)(
    'may have the name of its hash, %s, before it unless there is a prefix',
    (algorithm) => {
      const value = `${algorithm}=${sign('k', [body], 'hex', algorithm)}`
      const verdictWith = (sent: string, prefix = ''): string =>
        verdictOf({ options: { scheme: 'hmac', algorithm, prefix }, headers: { 'x-sig': sent } })
      expect(verdictWith(value)).toBe('accepted')
      expect(verdictWith(`${algorithm}=00,${value}`)).toBe('accepted')
      expect(verdictWith(value.replace(/^/, `${algorithm}=`))).toBe('signature_malformed')
      expect(verdictWith(value, 'v=')).toBe('signature_malformed')
      expect(verdictWith(value.replace(/^\w+=/, 'md5='))).toBe('signature_malformed')
    },
  )

  it('is one of a list in the headers of the other schemes too', () => {
    const [good, bad] = ['k', 'old'].map((key) => sign(key, [body]))
    const gitea = { 'x-gitea-signature': `${bad}, ${good}` }
    expect(verdictOf({ options: { scheme: 'gitea' }, headers: gitea })).toBe('accepted')
    const base64 = ['old', 'k'].map((key) => sign(key, [body], 'base64')).join(',')
    const shopify = { 'x-shopify-hmac-sha256': base64 }
    expect(verdictOf({ options: { scheme: 'shopify' }, headers: shopify })).toBe('accepted')
  })

  it('accepts the names of Svix, and never a mixture of names', () => {
    const secret = Buffer.from('key').toString('base64')
    const value = `v1,${sign('key', [`m.${seconds}.`, body], 'base64')}`
    const sent = { id: 'm', timestamp: String(seconds), signature: value }
    const named = (prefixes: Readonly<Record<keyof typeof sent, string>>): string =>
      verdictOf({
        options: { scheme: 'standard' },
        secrets: [`whsec_${secret}`],
        headers: Object.fromEntries(
          Object.entries(sent).map(([key, one]) => [
            `${prefixes[key as keyof typeof sent]}-${key}`,
            one,
          ]),
        ),
      })
    expect(named({ id: 'svix', timestamp: 'svix', signature: 'svix' })).toBe('accepted')
    expect(named({ id: 'webhook', timestamp: 'webhook', signature: 'webhook' })).toBe('accepted')
    expect(named({ id: 'webhook', timestamp: 'svix', signature: 'svix' })).toBe('signature_missing')
    expect(named({ id: 'svix', timestamp: 'webhook', signature: 'svix' })).toBe('signature_missing')
  })

  it('is refused if the time in the signed body is not recent', () => {
    const options = { scheme: 'github', timestamp_source: parseSource('data.at') } as const
    const verdictAt = (at: unknown, secret = 'k'): string => {
      const json = JSON.stringify({ data: { at } })
      const rawBody = encode(json)
      const headers = { 'x-hub-signature-256': `sha256=${sign(secret, [rawBody])}` }
      return verdictOf({ options, headers, rawBody, json })
    }
    for (const at of [seconds, seconds - 300, String(seconds + 300), seconds * 1000 - 300_000]) {
      expect(verdictAt(at)).toBe('accepted')
    }
    for (const at of [seconds - 301, seconds * 1000 + 300_001, 0]) {
      expect(verdictAt(at)).toBe('timestamp_out_of_tolerance')
    }
    for (const at of ['now', null, -seconds, `${seconds}x`, [], '']) {
      expect(verdictAt(at)).toBe('timestamp_missing')
    }
    expect(verdictAt(0, 'wrong')).toBe('signature_mismatch')
  })

  it('never replaces marks inside of the body', () => {
    const options = { scheme: 'hmac', signed: '{body}' } as const
    const marked = encode('{timestamp}{body}')
    const headers = { 'x-sig': sign('k', [marked]) }
    expect(verdictOf({ options, headers, rawBody: marked })).toBe('accepted')
  })
})
