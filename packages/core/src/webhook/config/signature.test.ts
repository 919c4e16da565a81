import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { SignatureOptions } from '../webhook.ts'
import { readWebhook, settingProblems } from './config.fixture.ts'

function read(signature: object): (SignatureOptions & { readonly texts: unknown }) | undefined {
  const { signature: options } = readWebhook({ signature })
  const texts = options?.secrets.map((secret) => secret.reveal())
  return options === undefined ? undefined : { ...options, texts }
}

const problemsOf = (signature: object): readonly string[] =>
  settingProblems({ signature }).map((line) => line.replace('signature.', ''))

describe('a signature', () => {
  it('has the documented defaults', () => {
    expect(read({ scheme: 'github', secret: 's' })).toMatchObject({
      texts: ['s'],
      tolerance: 300_000,
      formats: [
        {
          algorithm: 'hmac-sha256',
          signature: { header: 'X-Hub-Signature-256', prefix: 'sha256=' },
          encoding: 'hex',
          signed: '{body}',
        },
      ],
    })
  })

  it('accepts several secrets and a tolerance', () => {
    expect(read({ scheme: 'stripe', secrets: ['a', 'b'], tolerance: '1m' })).toMatchObject({
      texts: ['a', 'b'],
      tolerance: 60_000,
    })
  })

  it('of the scheme hmac describes its format', () => {
    const options = {
      scheme: 'hmac',
      secret: 's',
      header: 'X-Signature',
      signed: '{timestamp}:{body}',
      timestamp_header: 'X-Time',
      algorithm: 'sha1',
      encoding: 'base64',
      prefix: 'v1=',
    }
    expect(read(options)).toMatchObject({
      texts: ['s'],
      formats: [
        {
          algorithm: 'hmac-sha1',
          signature: { header: 'X-Signature', prefix: 'v1=' },
          encoding: 'base64',
          signed: '{timestamp}:{body}',
          timestamp: { header: 'X-Time', unit: 's' },
        },
      ],
    })
    expect(problemsOf({ ...options, header: 'X Signature', signed: 'x', prefix: 1 })).toEqual([
      'header out_of_range',
      'signed out_of_range',
      'prefix wrong_type',
    ])
    expect(problemsOf({ scheme: 'hmac', secret: 's', signed: '{timestamp}{body}' })).toEqual([
      'header required',
      'timestamp_header required',
    ])
  })

  it.each(['ed25519', 'ecdsa', 'rsa'] as const)('of the scheme %s needs a public key', (scheme) => {
    const kinds = {
      ed25519: ['ed25519'],
      ecdsa: ['ec', { namedCurve: 'P-256' }],
      rsa: ['rsa', { modulusLength: 2048 }],
    } as const
    const pem = (kind: keyof typeof kinds): string => {
      const [type, options] = kinds[kind]
      // The overloads of the platform are by literal.
      const { publicKey } = generateKeyPairSync(type as 'rsa', options as { modulusLength: 2048 })
      return publicKey.export({ format: 'pem', type: 'spki' }).toString()
    }
    const general = { scheme, header: 'X-Sig', encoding: 'base64' }
    expect(read({ ...general, public_key: pem(scheme) })?.public_keys).toHaveLength(1)
    expect(problemsOf(general)).toEqual(['public_key required'])
    expect(problemsOf({ ...general, secret: 's' })).toEqual([
      'public_key required',
      'secret conflict',
    ])
    const other = scheme === 'rsa' ? 'ecdsa' : 'rsa'
    expect(problemsOf({ ...general, public_key: pem(other) })).toEqual(['public_key out_of_range'])
    expect(problemsOf({ ...general, public_keys: ['c2VjcmV0'] })).toEqual([
      'public_keys out_of_range',
    ])
    expect(
      problemsOf({ scheme: 'hmac', header: 'X', secret: 's', public_key: pem(scheme) }),
    ).toEqual(['public_key conflict'])
  })

  it('of a general scheme names its parts, each where it is', () => {
    const general = { scheme: 'hmac', secret: 's' }
    expect(problemsOf({ ...general, field: 'data.sig', signed: '{data.id}' })).toEqual([])
    expect(problemsOf({ ...general, field: 'data.sig', header: 'X' })).toEqual(['field conflict'])
    expect(problemsOf({ ...general, field: 'header:X' })).toEqual(['field conflict'])
    expect(problemsOf({ ...general, header: 'X', signed: '{id}{body}' })).toEqual([
      'id_header required',
    ])
    expect(problemsOf({ ...general, header: 'X', signed: '{url}{body}' })).toEqual(['url required'])
    expect(problemsOf({ ...general, header: 'X', url: 'https://a.example' })).toEqual([
      'url conflict',
    ])
    expect(problemsOf({ ...general, header: 'X', signed: '{url}{body}', url: 'ftp://a' })).toEqual([
      'url out_of_range',
    ])
    expect(problemsOf({ scheme: 'ed25519', header: 'X', algorithm: 'sha256' })).toContain(
      'algorithm conflict',
    )
  })

  it('over parameters accepts nothing but forms', () => {
    const signature = {
      scheme: 'hmac',
      secret: 's',
      header: 'X',
      signed: '{url}{parameters}',
      url: 'https://a.example',
    }
    expect(settingProblems({ signature })).toEqual(['accept conflict'])
    expect(settingProblems({ signature, accept: ['json', 'form'] })).toEqual(['accept conflict'])
    expect(settingProblems({ signature, accept: ['form'] })).toEqual([])
  })

  it('covers the time that makes it recent', () => {
    const options = { scheme: 'hmac', secret: 's', header: 'X', timestamp_header: 'T' }
    expect(problemsOf(options)).toEqual(['signed required'])
    expect(problemsOf({ ...options, signed: 'v1:{body}' })).toEqual(['signed out_of_range'])
    expect(problemsOf({ ...options, signed: '{timestamp}.{body}' })).toEqual([])
  })

  it('may name a time in the body that it covers', () => {
    const from = (scheme: string, timestamp_source: string): readonly string[] =>
      problemsOf({ scheme, secret: 's', timestamp_source })
    expect(from('github', 'data.at')).toEqual([])
    expect(from('github', 'header:X-Time')).toEqual(['timestamp_source conflict'])
    expect(from('github', 'query:at')).toEqual(['timestamp_source conflict'])
    expect(from('gitlab-token', 'data.at')).toEqual(['timestamp_source conflict'])
    expect(from('github', 'data.a[0]')).toEqual(['timestamp_source bad_path'])
  })

  it('of another scheme has a fixed format', () => {
    const keys = { header: 'X', signed: '{body}', timestamp_header: 'T', algorithm: 'sha1' }
    expect(
      problemsOf({ scheme: 'slack', secret: 's', ...keys, encoding: 'hex', prefix: '' }),
    ).toEqual([
      'header conflict',
      'signed conflict',
      'timestamp_header conflict',
      'algorithm conflict',
      'encoding conflict',
      'prefix conflict',
    ])
  })

  it('of the scheme standard has secrets in base64', () => {
    expect(read({ scheme: 'standard', secret: 'whsec_AAECAw==' })?.texts).toEqual([
      'whsec_AAECAw==',
    ])
    expect(problemsOf({ scheme: 'standard', secret: 'whsec_' })).toEqual(['secret out_of_range'])
    expect(problemsOf({ scheme: 'standard', secrets: ['AAEC', 'a b'] })).toEqual([
      'secrets out_of_range',
    ])
  })

  it('needs a scheme and a secret that is not empty', () => {
    expect(problemsOf({})).toEqual(['scheme required', 'secret required'])
    expect(problemsOf({ scheme: 'github' })).toEqual(['secret required'])
    expect(problemsOf({ scheme: 'github', secret: '' })).toEqual(['secret empty'])
    expect(problemsOf({ scheme: 'github', secrets: [] })).toEqual(['secrets empty'])
    expect(problemsOf({ scheme: 'github', secrets: ['a', ' '] })).toEqual(['secrets[1] empty'])
    expect(problemsOf({ scheme: 'gitlab', secret: 5 })).toEqual([
      'scheme out_of_range',
      'secret wrong_type',
    ])
    expect(problemsOf({ scheme: 'gitea', secret: 'a', secrets: ['b'] })).toEqual([
      'secrets conflict',
    ])
    expect(settingProblems({ signature: 'github' })).toEqual(['signature wrong_type'])
  })

  it('makes signature the default of auth', () => {
    const signature = { scheme: 'github', secret: 's' }
    expect(readWebhook({ signature }).auth).toBe('signature')
    expect(readWebhook({ signature, auth: 'either' }).auth).toBe('either')
    expect(readWebhook({ auth: 'token' }).auth).toBe('token')
    for (const auth of ['signature', 'both', 'either']) {
      expect(settingProblems({ auth })).toEqual(['auth conflict'])
      expect(settingProblems({ auth, signature: {} })).not.toContain('auth conflict')
    }
  })

  it('of the scheme standard deduplicates by the id of the message', () => {
    const signature = { scheme: 'standard', secret: 'AAEC' }
    expect(readWebhook({ signature }).dedupe).toEqual({
      from: { kind: 'standard_id' },
      ttl: 86_400_000,
    })
    const dedupe = { key: 'header:idempotency-key', ttl: '1h' }
    expect(readWebhook({ signature, dedupe }).dedupe).toEqual({
      from: { kind: 'header', name: 'idempotency-key' },
      ttl: 3_600_000,
    })
  })
})
