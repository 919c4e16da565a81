import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runsOf } from '../../../../../test-support/lane.ts'
import { reservedUsernames } from './reserved-usernames.ts'
import { createWordSet, normalizeUsername, type UsernameRules } from './username.ts'

const rules: UsernameRules = {
  maxLength: 40,
  case_sensitive: false,
  ascii_only: true,
  block_reserved_usernames: true,
  exclude_keywords_enabled: false,
  reservedUsernames,
  excludedKeywords: createWordSet(['Gatehouse', 'straße']),
}
const anyScript: Partial<UsernameRules> = { ascii_only: false }

const normalize = (
  text: string,
  more: Partial<UsernameRules> = {},
  use: 'create' | 'look-up' = 'create',
) => normalizeUsername(text, { ...rules, ...more }, use)
const read = (name: string) => ({ normalized: name, uniqueKey: name })
const wrongFormat = { problem: { kind: 'format', details: { format: 'username' } } }

describe('a username', () => {
  it.each(['maya', 'Maya_Lin-2.0', '_', '0'])('in ASCII may be %s', (text) => {
    expect(normalize(text)).toEqual(read(text.toLowerCase()))
    expect(normalize(text, { case_sensitive: true })).toEqual(read(text))
    expect(normalize(text, anyScript)).toEqual(read(text.toLowerCase()))
  })

  it.each(['ma ya', 'maya!', 'maya@x.io', 'josé', 'ｍａｙａ', 'maya\n', 'ma\u200bya', 'maяa'])(
    'in ASCII may not be %j',
    (text) => {
      expect(normalize(text)).toEqual(wrongFormat)
      expect(normalize(text, {}, 'look-up')).toEqual(wrongFormat)
    },
  )

  it.each([
    ['José', 'josé'],
    ['Jose\u0301', 'josé'],
    ['Straße', 'strasse'],
    ['ＭＡＹＡ', 'maya'],
    ['ﬁona', 'fiona'],
    ['МАРИЯ', 'мария'],
    ['माया', 'माया'],
    ['마야', '마야'],
    ['\u1106\u1161\u110b\u1163', '마야'],
    ['maya!@#$%', 'maya!@#$%'],
  ])('in any script: %s is %s', (text, name) => {
    expect(normalize(text, anyScript)).toEqual(read(name))
  })

  it.each([
    ['a space', 'ma ya'],
    ['a full-width space', 'ma\u3000ya'],
    ['a control character', 'ma\u0007ya'],
    ['an invisible character', 'ma\u200dya'],
    ['a direction override', 'ma\u202eya'],
    ['a soft hyphen', 'ma\u00adya'],
    ['a variation selector', 'ma\ufe0fya'],
    ['a picture', 'maya👩'],
    ['a symbol beyond ASCII', 'maya•'],
    ['an unpaired surrogate', 'maya\ud800'],
    ['a private-use character', 'maya\ue000'],
    ['an unassigned character', 'maya\u0378'],
    ['a mark at the start', '\u0301maya'],
    ['a part of a syllable', '\u1106maya'],
    ['a letter that decomposes to a space and a mark', 'maya´'],
  ])('in any script must not contain %s', (_what, text) => {
    expect(normalize(text, anyScript)).toEqual(wrongFormat)
  })

  it('in any script must not be confusable', () => {
    const problem = {
      kind: 'general',
      details: { msg: 'username contains confusable characters' },
    }
    expect(normalize('pаypal', anyScript)).toEqual({ problem })
    expect(normalize('раураӏ', anyScript)).toEqual({ problem })
  })

  it('that is reserved is blocked in any case, but can still be looked up', () => {
    const problem = { kind: 'blocked', details: { reason: 'UsernameReserved' } }
    expect(normalize('Admin')).toEqual({ problem })
    expect(normalize('Admin', { case_sensitive: true })).toEqual({ problem })
    expect(normalize('ａｄｍｉｎ', anyScript)).toEqual({ problem })
    expect(normalize('Admin', {}, 'look-up')).toEqual(read('admin'))
    expect(normalize('Admin', { block_reserved_usernames: false })).toEqual(read('admin'))
    expect(normalize('adminton')).toEqual(read('adminton'))
  })

  it('with an excluded keyword is blocked if keywords are excluded', () => {
    const problem = { kind: 'blocked', details: { reason: 'UsernameExcludedKeywords' } }
    const more = { exclude_keywords_enabled: true }
    expect(normalize('my-gateHouse-2', more)).toEqual({ problem })
    expect(normalize('my-gateHouse-2', { ...more, case_sensitive: true })).toEqual({ problem })
    expect(normalize('HAUPTSTRASSE', more)).toEqual({ problem })
    expect(normalize('gate-house', more)).toEqual(read('gate-house'))
    expect(normalize('my-gatehouse', more, 'look-up')).toEqual(read('my-gatehouse'))
    expect(normalize('my-gatehouse')).toEqual(read('my-gatehouse'))
  })

  it('is not changed by a second normalization', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', minLength: 1 }),
        fc.boolean(),
        (text, isSensitive) => {
          const more = { ...anyScript, case_sensitive: isSensitive }
          const once = normalize(text, more)
          if ('normalized' in once) expect(normalize(once.normalized, more)).toEqual(once)
        },
      ),
      { numRuns: runsOf(300) },
    )
  })
})

it('a set of words has their normalized forms, without empty ones', () => {
  expect([...createWordSet(['Straße', ' ', '', 'Root\r', 'ROOT'])]).toEqual(['strasse', 'root'])
})
