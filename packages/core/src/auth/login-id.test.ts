import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { e164PhoneNumbers } from '../phone/e164-phone-numbers.ts'
import { type LoginIdRules, type LoginIdType, readLoginId } from './login-id.ts'
import { reservedUsernames } from './reserved-usernames.ts'

const rules: LoginIdRules = {
  email: {
    maxLength: 320,
    case_sensitive: false,
    block_plus_sign: false,
    ignore_dot_sign: false,
    domain_blocklist_enabled: false,
    domain_allowlist_enabled: false,
    block_free_email_provider_domains: false,
    block_disposable_email_domains: false,
    domainBlocklist: new Set(),
    domainAllowlist: new Set(),
    freeProviderDomains: new Set(),
    disposableDomains: new Set(),
  },
  phone: { maxLength: 40, validation_method: 'isValidNumber', phoneNumbers: e164PhoneNumbers },
  username: {
    maxLength: 40,
    case_sensitive: false,
    ascii_only: false,
    block_reserved_usernames: true,
    exclude_keywords_enabled: false,
    reservedUsernames,
    excludedKeywords: new Set(),
  },
}
const types: readonly LoginIdType[] = ['email', 'phone', 'username']

describe('a login ID', () => {
  it.each([
    [
      'email',
      ' Maya@Harborlight.example\n',
      'Maya@Harborlight.example',
      'maya@harborlight.example',
    ],
    ['phone', ' +6591234567', '+6591234567', '+6591234567'],
    ['username', 'Maya\u3000', 'Maya', 'maya'],
  ] as const)(
    'of type %s keeps what was typed beside what is compared',
    (type, text, original, normalized) => {
      expect(readLoginId(type, text, rules, 'create')).toEqual({
        loginId: { type, original, normalized, uniqueKey: normalized },
      })
    },
  )

  it.each(types)('of type %s must be there', (type) => {
    for (const text of ['', '  ', '\n\u00a0\ufeff']) {
      expect(readLoginId(type, text, rules, 'look-up')).toEqual({ problem: { kind: 'required' } })
    }
  })

  it.each(types)('of type %s is not longer than it may be, in code points', (type) => {
    const expected = rules[type].maxLength
    expect(readLoginId(type, ` ${'😀'.repeat(expected + 1)} `, rules, 'look-up')).toEqual({
      problem: { kind: 'maxLength', details: { expected, actual: expected + 1 } },
    })
    expect(readLoginId(type, '😀'.repeat(expected), rules, 'look-up')).not.toMatchObject({
      problem: { kind: 'maxLength' },
    })
  })

  it('that is very long is refused as any other', () => {
    expect(readLoginId('email', 'a@'.repeat(5_000_000), rules, 'create')).toEqual({
      problem: { kind: 'maxLength', details: { expected: 320, actual: 10_000_000 } },
    })
  })

  it('of no type makes anything throw', () => {
    fc.assert(
      fc.property(fc.constantFrom(...types), fc.string({ unit: 'binary' }), (type, text) => {
        const read = readLoginId(type, text, rules, 'create')
        expect('loginId' in read ? read.loginId.original : read.problem.kind).toBeTruthy()
      }),
      { numRuns: 500 },
    )
  })

  it('that was read is found again by its original, its claim and its key', () => {
    fc.assert(
      fc.property(fc.emailAddress(), fc.boolean(), (address, isLoud) => {
        const text = isLoud ? address.toUpperCase() : address
        const read = readLoginId('email', text, rules, 'create')
        if ('problem' in read) throw new Error(read.problem.kind)
        const { original, normalized, uniqueKey } = read.loginId
        for (const form of [original, normalized, uniqueKey]) {
          expect(readLoginId('email', form, rules, 'look-up')).toMatchObject({
            loginId: { uniqueKey },
          })
        }
      }),
    )
  })
})
