import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PasswordPolicy } from '../../config/config.ts'
import {
  checkPassword,
  needsHistory,
  needsStrength,
  passwordPolicyData,
} from './password-policy.ts'

const lax: PasswordPolicy = {
  min_length: 8,
  uppercase_required: false,
  lowercase_required: false,
  alphabet_required: false,
  digit_required: false,
  symbol_required: false,
  minimum_guessable_level: 0,
  excluded_keywords: [],
  history_size: 0,
  history_days: 0,
}
const strict: PasswordPolicy = {
  min_length: 12,
  uppercase_required: true,
  lowercase_required: true,
  alphabet_required: true,
  digit_required: true,
  symbol_required: true,
  minimum_guessable_level: 4,
  excluded_keywords: ['Gatehouse', 'STRASSE'],
  history_size: 3,
  history_days: 90,
}

const namesOf = (policy: Partial<PasswordPolicy>, text: string): readonly string[] =>
  checkPassword({ ...lax, ...policy }, text).map(({ Name }) => Name)

describe('a password', () => {
  it('reports all violated rules in a fixed order', () => {
    expect(checkPassword(strict, '', { strength: 0, isReused: true })).toEqual([
      { Name: 'PasswordTooShort', Info: { min_length: 12, pw_length: 0 } },
      { Name: 'PasswordUppercaseRequired' },
      { Name: 'PasswordLowercaseRequired' },
      { Name: 'PasswordAlphabetRequired' },
      { Name: 'PasswordDigitRequired' },
      { Name: 'PasswordSymbolRequired' },
      { Name: 'PasswordBelowGuessableLevel', Info: { min_level: 4, pw_level: 1 } },
      { Name: 'PasswordReused', Info: { history_size: 3, history_days: 90 } },
    ])
    const causes = checkPassword(strict, 'gatehouse', { strength: 2, isReused: true })
    expect(causes.map(({ Name }) => Name)).toEqual([
      'PasswordTooShort',
      'PasswordUppercaseRequired',
      'PasswordDigitRequired',
      'PasswordSymbolRequired',
      'PasswordContainingExcludedKeywords',
      'PasswordBelowGuessableLevel',
      'PasswordReused',
    ])
  })

  it('may violate none', () => {
    expect(checkPassword(strict, 'Tidal-lantern-42', { strength: 3 })).toEqual([])
    expect(checkPassword(lax, 'tidal-lantern-42')).toEqual([])
  })

  it('is measured in code points', () => {
    expect(checkPassword(lax, 'tidal')).toEqual([
      { Name: 'PasswordTooShort', Info: { min_length: 8, pw_length: 5 } },
    ])
    expect(namesOf({}, '😀'.repeat(7))).toEqual(['PasswordTooShort'])
    expect(namesOf({}, '😀'.repeat(8))).toEqual([])
  })

  it('is never empty', () => {
    expect(checkPassword({ ...lax, min_length: 0 }, '')).toEqual([
      { Name: 'PasswordTooShort', Info: { min_length: 1, pw_length: 0 } },
    ])
    expect(namesOf({ min_length: 0 }, ' ')).toEqual([])
  })

  it('is not longer than 4096 bytes', () => {
    expect(namesOf({}, 'x'.repeat(4_096))).toEqual([])
    expect(checkPassword(lax, 'é'.repeat(2_049))).toEqual([
      { Name: 'PasswordTooLong', Info: { max_length: 4_096, pw_length: 4_098 } },
    ])
  })

  it.each<[keyof PasswordPolicy, string, string, string]>([
    ['uppercase_required', 'É-lowercase-1', 'Lowercase', 'PasswordUppercaseRequired'],
    ['lowercase_required', 'é-UPPERCASE-1', 'UPPERCASe', 'PasswordLowercaseRequired'],
    ['alphabet_required', '12345-éж', '1234567a', 'PasswordAlphabetRequired'],
    ['digit_required', 'lowercase-١', 'lowercase1', 'PasswordDigitRequired'],
    ['symbol_required', 'lowercase1', 'lowercase 1', 'PasswordSymbolRequired'],
    ['symbol_required', 'lowercase1', 'löwercase1', 'PasswordSymbolRequired'],
  ])('with %s on: not %s, but %s', (name, breaking, keeping, cause) => {
    expect(namesOf({ [name]: true }, breaking)).toEqual([cause])
    expect(namesOf({ [name]: true }, keeping)).toEqual([])
    expect(namesOf({}, breaking)).toEqual([])
  })

  it('contains no excluded word, ignoring case', () => {
    const excluded = { excluded_keywords: ['Gatehouse', 'straße', ''] }
    for (const text of ['my-GATEHOUSE-1', 'Hauptstrasse 1', 'HAUPTSTRAẞE 1']) {
      expect(namesOf(excluded, text)).toEqual(['PasswordContainingExcludedKeywords'])
    }
    expect(namesOf(excluded, 'gate-house')).toEqual([])
  })

  it('reaches the level of the policy, where its level is its strength plus one', () => {
    for (const level of [2, 3, 4, 5]) {
      for (const strength of [0, 1, 2, 3, 4]) {
        const policy = { ...lax, minimum_guessable_level: level }
        const isStrong = checkPassword(policy, 'tidal-lantern', { strength }).length === 0
        expect(isStrong).toBe(strength + 1 >= level)
      }
    }
  })

  it('needs no strength if every password reaches the level', () => {
    for (const level of [0, 1]) {
      const policy = { ...lax, minimum_guessable_level: level }
      expect(needsStrength(policy)).toBe(false)
      expect(checkPassword(policy, 'tidal-lantern')).toEqual([])
    }
  })

  it('is not considered strong if no strength is given', () => {
    expect(needsStrength(strict)).toBe(true)
    expect(() => checkPassword(strict, 'Tidal-lantern-42')).toThrow(TypeError)
  })

  it('may be reused if no history is kept', () => {
    expect(checkPassword(lax, 'tidal-lantern', { isReused: true })).toEqual([])
    expect(needsHistory(lax)).toBe(false)
    expect(needsHistory({ ...lax, history_size: 1 })).toBe(true)
    expect(needsHistory({ ...lax, history_days: 1 })).toBe(true)
  })

  it('that is longer violates no rule that the shorter one met, except for length and excluded words', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (text, more) => {
        const policy = { ...strict, minimum_guessable_level: 0, excluded_keywords: [] }
        const before = checkPassword(policy, text).map(({ Name }) => Name)
        const after = checkPassword(policy, `${text}x${more}`).map(({ Name }) => Name)
        expect(before).toEqual(expect.arrayContaining([...after]))
      }),
    )
  })
})

describe('a policy', () => {
  it('shows clients only its requirements', () => {
    expect(passwordPolicyData(lax)).toEqual({ minimum_length: 8, history: { enabled: false } })
    expect(passwordPolicyData({ ...lax, min_length: 12, digit_required: true })).toEqual({
      minimum_length: 12,
      digit_required: true,
      history: { enabled: false },
    })
    expect(passwordPolicyData(strict)).toEqual({
      minimum_length: 12,
      uppercase_required: true,
      lowercase_required: true,
      alphabet_required: true,
      digit_required: true,
      symbol_required: true,
      minimum_zxcvbn_score: 3,
      excluded_keywords: ['Gatehouse', 'STRASSE'],
      history: { enabled: true, size: 3, days: 90 },
    })
  })

  it('shows the lowest level too', () => {
    expect(passwordPolicyData({ ...lax, minimum_guessable_level: 1 })).toMatchObject({
      minimum_zxcvbn_score: 0,
    })
  })

  it('shows the one kind of history that it keeps', () => {
    expect(passwordPolicyData({ ...lax, history_size: 2 }).history).toEqual({
      enabled: true,
      size: 2,
    })
    expect(passwordPolicyData({ ...lax, history_days: 9 }).history).toEqual({
      enabled: true,
      days: 9,
    })
  })
})
