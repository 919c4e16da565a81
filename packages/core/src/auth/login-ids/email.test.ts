import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runsOf } from '../../../../../test-support/lane.ts'
import { createDomainSet, type EmailRules, normalizeEmail, readEmail } from './email.ts'

const rules: EmailRules = {
  maxLength: 320,
  case_sensitive: false,
  block_plus_sign: false,
  ignore_dot_sign: false,
  domain_blocklist_enabled: false,
  domain_allowlist_enabled: false,
  block_free_email_provider_domains: false,
  block_disposable_email_domains: false,
  domainBlocklist: createDomainSet(['Blocked.example', 'münchen.example']),
  domainAllowlist: createDomainSet(['allowed.example', 'xn--mnchen-3ya.example']),
  freeProviderDomains: createDomainSet(['free.example']),
  disposableDomains: createDomainSet(['gone.example']),
}

const normalize = (
  text: string,
  more: Partial<EmailRules> = {},
  use: 'create' | 'look-up' = 'create',
) => normalizeEmail(text, { ...rules, ...more }, use)
const wrongFormat = { problem: { kind: 'format', details: { format: 'email' } } }

describe('an email address', () => {
  it.each([
    ['Maya@Harborlight.example', 'maya@harborlight.example', 'maya@harborlight.example'],
    ['maya+news@x.io', 'maya+news@x.io', 'maya+news@x.io'],
    ['m.a.y.a@x.io', 'm.a.y.a@x.io', 'm.a.y.a@x.io'],
    [
      "o'brien!#$%&*/=?^_`{|}~-@x.io",
      "o'brien!#$%&*/=?^_`{|}~-@x.io",
      "o'brien!#$%&*/=?^_`{|}~-@x.io",
    ],
    ['STRASSE@MÜNCHEN.example', 'strasse@münchen.example', 'strasse@xn--mnchen-3ya.example'],
    ['Straße@münchen.example', 'strasse@münchen.example', 'strasse@xn--mnchen-3ya.example'],
    ['maya@xn--mnchen-3ya.example', 'maya@xn--mnchen-3ya.example', 'maya@xn--mnchen-3ya.example'],
    ['ｍａｙａ@x.io', 'maya@x.io', 'maya@x.io'],
    ['мария@пример.example', 'мария@пример.example', 'мария@xn--e1afmkfd.example'],
    ['root@localhost', 'root@localhost', 'root@localhost'],
    ['👩@x.io', '👩@x.io', '👩@x.io'],
  ])('%s is the claim %s with the key %s', (text, normalized, uniqueKey) => {
    expect(normalize(text)).toEqual({ normalized, uniqueKey })
    expect(normalize(text, {}, 'look-up')).toEqual({ normalized, uniqueKey })
  })

  it.each([
    'not-an-address',
    '@',
    '@x.io',
    'maya@',
    'maya@@x.io',
    'maya@x@y.io',
    '.maya@x.io',
    'maya.@x.io',
    'ma..ya@x.io',
    'ma ya@x.io',
    'maya @x.io',
    'maya@x..io',
    'maya@.x.io',
    'maya@x.io.',
    'maya@-x.io',
    'maya@127.0.0.1',
    'maya@[127.0.0.1]',
    'Maya <maya@x.io>',
    '<maya@x.io>',
    'maya@x.io (home)',
    'maya(home)@x.io',
    '"maya"@x.io',
    '"ma ya"@x.io',
    'maya@x.io,lena@x.io',
    'maya@x.io\r\nBcc: lena@x.io',
    'ma\0ya@x.io',
    'ma\u0085ya@x.io',
    'ma\u200bya@x.io',
    'ma\u202eya@x.io',
    'ma\u00adya@x.io',
    'ma\u00a0ya@x.io',
    'ma\ud800ya@x.io',
    'maya＠lena@x.io',
    'maya․@x.io',
    '㏂@x.io',
    '´@x.io',
    'mailto:maya@x.io',
  ])('is not %j', (text) => {
    expect(normalize(text)).toEqual(wrongFormat)
    expect(normalize(text, {}, 'look-up')).toEqual(wrongFormat)
  })

  it('keeps the case of its local part if case_sensitive is set', () => {
    expect(normalize('Maya@X.io', { case_sensitive: true })).toEqual({
      normalized: 'Maya@x.io',
      uniqueKey: 'Maya@x.io',
    })
  })

  it('loses the dots of its local part if ignore_dot_sign is set', () => {
    expect(normalize('m.a.ya+x.y@x.io', { ignore_dot_sign: true })).toEqual({
      normalized: 'maya+xy@x.io',
      uniqueKey: 'maya+xy@x.io',
    })
  })

  it.each<[string, string, Partial<EmailRules>, object]>([
    ['a plus sign', 'maya+a@x.io', { block_plus_sign: true }, { reason: 'BlockPlusSign' }],
    [
      'a full-width plus sign',
      'maya＋a@x.io',
      { block_plus_sign: true },
      { reason: 'BlockPlusSign' },
    ],
    [
      'a domain of the blocklist',
      'maya@BLOCKED.example',
      { domain_blocklist_enabled: true },
      { reason: 'EmailDomainBlocklist', blocklist: 'custom' },
    ],
    [
      'a domain of the blocklist in Punycode',
      'maya@xn--mnchen-3ya.example',
      { domain_blocklist_enabled: true },
      { reason: 'EmailDomainBlocklist', blocklist: 'custom' },
    ],
    [
      'a free provider',
      'maya@free.example',
      { block_free_email_provider_domains: true },
      { reason: 'EmailDomainBlocklist', blocklist: 'free' },
    ],
    [
      'a disposable domain',
      'maya@gone.example',
      { block_disposable_email_domains: true },
      { reason: 'EmailDomainBlocklist', blocklist: 'disposable' },
    ],
    [
      'a domain that is not allowed',
      'maya@other.example',
      { domain_allowlist_enabled: true },
      { reason: 'EmailDomainAllowlist' },
    ],
    [
      'a subdomain of an allowed domain',
      'maya@a.allowed.example',
      { domain_allowlist_enabled: true },
      { reason: 'EmailDomainAllowlist' },
    ],
  ])('with %s is blocked, but can still be looked up', (_what, text, more, details) => {
    expect(normalize(text, more)).toEqual({ problem: { kind: 'blocked', details } })
    expect(normalize(text, more, 'look-up')).toHaveProperty('normalized')
    expect(normalize(text)).toHaveProperty('normalized')
  })

  it('of an allowed domain is not blocked', () => {
    for (const text of ['maya@Allowed.example', 'maya@MÜNCHEN.example']) {
      expect(normalize(text, { domain_allowlist_enabled: true })).toHaveProperty('normalized')
    }
    expect(normalize('maya@a.blocked.example', { domain_blocklist_enabled: true })).toHaveProperty(
      'normalized',
    )
  })

  it('is not changed by a second normalization', () => {
    const signs = fc.constantFrom(...'abzABZ019-_.+@ßẞςΣσäÄÉİıſ日本кК\u0301ﬁＡ＠．℀%"()<>: ')
    const text = fc.string({ unit: signs })
    fc.assert(
      fc.property(text, text, fc.boolean(), (local, domain, isDotted) => {
        const more = { ignore_dot_sign: !isDotted }
        const once = normalize(`${local}@${domain}`, more)
        if ('problem' in once) return
        expect(normalize(once.normalized, more)).toEqual(once)
        expect(normalize(once.uniqueKey, more)).toMatchObject({ uniqueKey: once.uniqueKey })
        expect(once.normalized.split('@')).toHaveLength(2)
      }),
      { numRuns: runsOf(300) },
    )
  })

  it('in the form of other programs is valid', () => {
    fc.assert(
      fc.property(fc.emailAddress(), (text) => {
        expect(normalize(text)).toMatchObject({ normalized: text.toLowerCase() })
      }),
    )
  })

  it('is split into its parts', () => {
    expect(readEmail('Maya@X.io')).toEqual({
      local: 'Maya',
      domain: { name: 'x.io', ascii: 'x.io' },
    })
  })
})

it('a mark joins the letter before an ignored dot', () => {
  expect(normalize('e.\u0301@x.io', { ignore_dot_sign: true })).toMatchObject({
    normalized: 'é@x.io',
  })
})

describe('a set of domains', () => {
  it('ignores empty lines', () => {
    expect([...createDomainSet(['a.example', '', '  ', ' B.example\r'])]).toEqual([
      'a.example',
      'b.example',
    ])
  })
})
