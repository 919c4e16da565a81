import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { readWebhook, settingProblems } from '../config/config.fixture.ts'
import type { SignatureFormat } from '../webhook.ts'
import { defineSender } from './define-sender.ts'
import { verdictOf } from './sender.fixture.ts'
import { senders } from './senders.ts'

const format: SignatureFormat = {
  algorithm: 'hmac-sha512',
  signature: { header: 'X-Acme', prefix: 'v1=' },
  encoding: 'base64',
  signed: '{id}|{timestamp}|{body}|{header:X-Kind}|{data.a}',
  id: { header: 'X-Id' },
  timestamp: { header: 'X-At', unit: 'ms' },
}

const withFormat = (change: Partial<SignatureFormat>) => () =>
  defineSender({ name: 'acme', signatures: [{ ...format, ...change }] })

describe('defineSender', () => {
  it('lets a configuration name a sender of the app', () => {
    const acme = defineSender({ name: 'acme', signatures: [format], settings: { mode: 'async' } })
    const options = { senders: [acme] }
    const webhook = readWebhook({ sender: { name: 'acme', secret: 'k' } }, options)
    expect(webhook.mode).toBe('async')
    const body = '{"a":"x"}'
    const headers = (at: string): Record<string, string> => ({
      'X-Id': '7',
      'X-At': at,
      'X-Kind': 'push',
      'X-Acme': `v1=${createHmac('sha512', 'k').update(`7|1000|${body}|push|x`).digest('base64')}`,
    })
    expect(verdictOf(webhook, { headers: headers('1000'), body }, 1_000)).toBe('accepted')
    expect(verdictOf(webhook, { headers: headers('1001'), body }, 1_000)).toBe('signature_mismatch')
    expect(verdictOf(webhook, { headers: headers('1000'), body }, 9e8)).toBe(
      'timestamp_out_of_tolerance',
    )
    expect(settingProblems({ sender: 'acme' })).toEqual(['sender out_of_range'])
    expect(settingProblems({ sender: { name: 'acme' } }, options)).toEqual(['sender conflict'])
  })

  it.each([
    [{ signed: '{timestamp}' }, 'must sign {body}'],
    [{ signed: '{body}' }, 'its signature does not cover'],
    [{ signed: '{timestamp}{body}', timestamp: undefined }, 'does not say where it is'],
    [{ signed: '{id}{timestamp}{body}', id: undefined }, 'does not say where it is'],
    [{ algorithm: 'token' }, 'no signature covers'],
    [{ signature: { field: 'a[0]' } }, 'not a dotted path'],
    [{ signature: { header: '' } }, 'signature.header'],
    [
      { certificate: { url: { field: 'data.u' }, allowed: /^https:\/\/a\.example\/$/ } },
      'does not use',
    ],
    [
      { certificate: { url: { field: 'data.u' }, allowed: /https:\/\/a\.example/ } },
      'for whole URLs',
    ],
    [
      { certificate: { url: { field: 'data.u' }, allowed: /^https:\/\/a\.example\/|x$/ } },
      'for whole URLs',
    ],
    [
      { certificate: { url: { field: 'data.u' }, allowed: /^https:\/\/a\.example\/$/m } },
      'for whole URLs',
    ],
    [
      { certificate: { url: { field: 'data.u' }, allowed: /^http:\/\/a\.example\/$/ } },
      'for whole URLs',
    ],
  ] as const)('refuses a format that proves too little: %j', (change, problem) => {
    expect(withFormat(change as Partial<SignatureFormat>)).toThrow(problem)
  })

  it('refuses names that no configuration could write', () => {
    for (const name of ['', 'Acme', 'a b', '9', 'a'.repeat(65)]) {
      expect(() => defineSender({ name })).toThrow('sender')
    }
  })

  it('names each known sender once', () => {
    const names = senders.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
  })
})
