import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runsOf } from '../../../../../test-support/lane.ts'
import { checkWrites } from '../../storage/storage-input.ts'
import { claimOfLoginId, identityKey } from '../accounts/identities.ts'
import type { LoginIdIdentity } from '../accounts/identity-record.ts'
import { identityCollection, identityKeyCollection } from '../accounts/identity-record.ts'
import { e164PhoneNumbers } from '../phone/e164-phone-numbers.ts'
import {
  type LoginId,
  type LoginIdRules,
  type LoginIdType,
  type LoginIdUse,
  readLoginId,
} from './login-id.ts'
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

/** Like a configuration without a limit. */
const endless = 1_000_000
const unlimited: LoginIdRules = {
  email: { ...rules.email, maxLength: endless },
  phone: { ...rules.phone, maxLength: endless },
  username: { ...rules.username, maxLength: endless },
}

/** Checks that the records for a login ID can be stored. */
function checkStorable(type: LoginIdType, { original, normalized, uniqueKey }: LoginId): void {
  const identity: LoginIdIdentity = {
    type: 'login_id',
    user_id: 'u',
    created_at: 0,
    login_id_type: type,
    login_id_key: type,
    original,
    normalized,
    unique_key: uniqueKey,
    [claimOfLoginId[type]]: normalized,
  }
  checkWrites([
    identityKeyCollection.write(identityKey(identity), { user_id: 'u', identity_id: 'i' }),
    identityCollection.write('i', identity),
  ])
}

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
    'of type %s keeps the typed text beside the normalized one',
    (type, text, original, normalized) => {
      expect(readLoginId(type, text, rules, 'create')).toEqual({
        loginId: { type, original, normalized, uniqueKey: normalized },
      })
    },
  )

  it.each(types)('of type %s must not be empty', (type) => {
    for (const text of ['', '  ', '\n\u00a0\ufeff']) {
      expect(readLoginId(type, text, rules, 'look-up')).toEqual({ problem: { kind: 'required' } })
    }
  })

  it.each(types)('of type %s is limited in code points', (type) => {
    const expected = rules[type].maxLength
    expect(readLoginId(type, ` ${'😀'.repeat(expected + 1)} `, rules, 'look-up')).toEqual({
      problem: { kind: 'maxLength', details: { expected, actual: expected + 1 } },
    })
    expect(readLoginId(type, '😀'.repeat(expected), rules, 'look-up')).not.toMatchObject({
      problem: { kind: 'maxLength' },
    })
  })

  it('that is very long is refused like any other', () => {
    expect(readLoginId('email', 'a@'.repeat(5_000_000), rules, 'create')).toEqual({
      problem: { kind: 'maxLength', details: { expected: 320, actual: 10_000_000 } },
    })
  })

  it('of any type never throws', () => {
    fc.assert(
      fc.property(fc.constantFrom(...types), fc.string({ unit: 'binary' }), (type, text) => {
        const read = readLoginId(type, text, rules, 'create')
        expect('loginId' in read ? read.loginId.original : read.problem.kind).toBeTruthy()
      }),
      { numRuns: runsOf(100) },
    )
  })

  it('is found again by its original, its claim and its key', () => {
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

describe('a login ID that becomes longer by normalization', () => {
  const longDomain = `x@${`${'𠀁'.repeat(50)}.`.repeat(3)}io`

  it.each<[LoginIdType, what: string, LoginIdRules, text: string, expected: number]>([
    ['email', 'of four-byte letters', rules, `${'𠀁'.repeat(300)}@x.io`, 121],
    ['email', 'of characters that expand to several', rules, `${'㌖'.repeat(40)}@x.io`, 29],
    ['email', 'with most of its bytes in the domain', rules, longDomain, 124],
    ['username', 'of characters that expand to several', rules, '㌖'.repeat(40), 26],
    ['username', 'that grows by case folding', unlimited, 'İ'.repeat(400), 160],
    ['username', 'without a configured limit', unlimited, 'я'.repeat(241), 240],
  ])('of type %s %s is refused with the number of code points that would fit', (...given) => {
    const [type, _, rulesOfCase, text, expected] = given
    const actual = Array.from(text).length
    for (const use of ['create', 'look-up'] as const) {
      expect(readLoginId(type, text, rulesOfCase, use)).toEqual({
        problem: { kind: 'maxLength', details: { expected, actual } },
      })
    }
  })

  it('is accepted at the length given in the refusal', () => {
    for (const letter of ['я', 'İ', '字', '𠀁', '㌖']) {
      const long = readLoginId('username', letter.repeat(480), unlimited, 'create')
      const expected = 'problem' in long ? Number(long.problem.details?.expected) : 0
      expect(expected, letter).toBeGreaterThan(20)
      for (const length of [expected, expected + 1]) {
        const read = readLoginId('username', letter.repeat(length), unlimited, 'create')
        expect('loginId' in read, `${letter} ${length} times`).toBe(length === expected)
      }
    }
  })

  it('is not normalized if it is too long in any case', () => {
    for (const type of types) {
      expect(readLoginId(type, '㌖'.repeat(endless), unlimited, 'create')).toEqual({
        problem: { kind: 'maxLength', details: { expected: 480, actual: endless } },
      })
    }
  })
})

describe('any login ID', () => {
  const letters = fc.constantFrom(...'ax0.-_+@яß字𠀁𝔞İΐK㌖ﬃﷲ가e\u0301', '\0', '\ud800')
  const part = fc.tuple(letters, fc.nat(130)).map(([letter, times]) => letter.repeat(times))
  const parts = fc.array(part, { minLength: 1, maxLength: 4 }).map((all) => all.join(''))
  const texts: Readonly<Record<LoginIdType, fc.Arbitrary<string>>> = {
    email: fc
      .tuple(parts, fc.constantFrom('x.io', 'straße.example', `${'字'.repeat(50)}.io`), parts)
      .map(([local, domain, more]) => `${local}@${more.length < 60 ? `${more}.` : ''}${domain}`),
    username: parts,
    phone: fc.nat({ max: 9_999_999 }).map((digits) => `+659${digits}`),
  }
  const variants = [
    rules,
    unlimited,
    { ...unlimited, email: { ...unlimited.email, ignore_dot_sign: true } },
  ]

  it.each(types)('of type %s can be stored and found', (type) => {
    let read = 0
    fc.assert(
      fc.property(
        texts[type],
        fc.constantFrom(...variants),
        fc.constantFrom<LoginIdUse>('create', 'look-up'),
        (text, given, use) => {
          const found = readLoginId(type, text, given, use)
          if ('problem' in found) return
          read++
          expect(() => checkStorable(type, found.loginId)).not.toThrow()
        },
      ),
      { numRuns: runsOf(1_000) },
    )
    expect(read).toBeGreaterThan(10)
  })
})
