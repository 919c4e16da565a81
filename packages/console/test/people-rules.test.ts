import type { User } from '@gatehouse/client'
import { describe, expect, it } from 'vitest'
import { deviceOf, loginIdsOfUser, nameOfUser, stateOfUser } from '../src/people/describe-user.ts'
import { wordsOfEvent } from '../src/people/event-words.ts'
import { readRecords } from '../src/people/import-records.ts'
import { eventWords } from '../src/texts/event-words.ts'

const user: User = {
  id: 'u1',
  createdAt: '2026-01-01T00:00:00Z',
  updatedAt: '2026-01-01T00:00:00Z',
  lastLoginAt: null,
  isDisabled: false,
  disableReason: null,
  deleteAt: null,
  isAnonymized: false,
  anonymizeAt: null,
  accountValidFrom: null,
  accountValidUntil: null,
  standardAttributes: {},
  customAttributes: {},
}

describe('reading users to import', () => {
  it('takes a JSON list, or an object with one', () => {
    const records = [{ email: 'a@x.example' }]
    expect(readRecords(JSON.stringify(records))).toEqual({ records })
    expect(readRecords(`\ufeff ${JSON.stringify({ users: records })}\n`)).toEqual({ records })
  })

  it.each([
    ['', { kind: 'empty' }],
    ['[{]', { kind: 'json' }],
    ['{"people": []}', { kind: 'no-list' }],
    ['{"users": [{}], "upsert": true}', { kind: 'key', name: 'upsert' }],
    ['email', { kind: 'empty' }],
    ['email,age\na@x.example,7', { kind: 'column', name: 'age' }],
    ['email,name\na@x.example', { kind: 'line', line: 2 }],
    ['email,name,Name\na@x.example,A,B', { kind: 'twice', name: 'name' }],
    ['email,password_type\na@x.example,bcrypt', { kind: 'line', line: 2 }],
    ['email,disabled\na@x.example,maybe', { kind: 'line', line: 2 }],
  ])('says what is wrong with %j', (text, problem) => {
    expect(readRecords(text)).toEqual({ problem })
  })

  it('takes CSV with quotes, line ends in fields, and empty fields', () => {
    const text = [
      'Email;email_verified;name;password_type;password_hash',
      'a@x.example;yes;"Lund; ""Maya""\nof Bergen";;',
      '',
      'b@x.example;;;argon2;$argon2id$x',
    ].join('\r\n')
    expect(readRecords(text)).toEqual({
      records: [
        {
          email: 'a@x.example',
          email_verified: true,
          standard_attributes: { name: 'Lund; "Maya"\nof Bergen' },
        },
        { email: 'b@x.example', password: { type: 'argon2', password_hash: '$argon2id$x' } },
      ],
    })
  })
})

describe('a user in a list', () => {
  it('has the name of the person, else what the person signs in with', () => {
    const named = (standardAttributes: User['standardAttributes']): string =>
      nameOfUser({ ...user, standardAttributes })
    expect(named({})).toBe('u1')
    expect(named({ email: 'a@x.example' })).toBe('a@x.example')
    expect(named({ given_name: 'Maya', family_name: 'Lund', email: 'a@x.example' })).toBe(
      'Maya Lund',
    )
    expect(named({ name: ' ', preferred_username: 'maya', email: 7 })).toBe('maya')
    const both = { ...user, standardAttributes: { email: 'a@x.example', phone_number: '+4712' } }
    expect(loginIdsOfUser(both)).toEqual(['a@x.example', '+4712'])
  })

  it('has the most severe of its states', () => {
    const at = '2026-01-02T00:00:00Z'
    const now = Date.parse(at)
    const state = (more: Partial<User>): string => stateOfUser({ ...user, ...more }, now)
    expect(state({})).toBe('active')
    expect(state({ accountValidUntil: at })).toBe('outside')
    expect(state({ accountValidFrom: at })).toBe('active')
    expect(state({ isDisabled: true, accountValidUntil: at })).toBe('disabled')
    expect(state({ isDisabled: true, deleteAt: at })).toBe('ending')
    expect(state({ isAnonymized: true, isDisabled: true })).toBe('anonymized')
  })
})

describe('a device', () => {
  it.each([
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0',
      'Edge 142, Windows',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
      'Safari 18, iOS',
    ],
    [
      'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36',
      'Chrome 142, Android',
    ],
    ['curl/8.5.0', 'curl/8.5.0'],
    ['', undefined],
    [null, undefined],
  ])('has a name for %j', (agent, name) => {
    expect(deviceOf(agent)).toBe(name)
  })
})

describe('events of the audit log in words', () => {
  it.each([
    ['user.authenticated', 'Signed in', 'Angemeldet'],
    ['identity.email.added', 'Email address added', 'E-Mail-Adresse hinzugefügt'],
    ['authentication.secondary.totp.failed', 'Code of the authenticator app refused', undefined],
    ['sms.error', 'SMS could not be sent', undefined],
    ['identity.badge.added', 'identity.badge.added', 'identity.badge.added'],
    ['constructor', 'constructor', 'constructor'],
  ])('say %j as %j', (type, english, german) => {
    expect(wordsOfEvent(type, eventWords.en)).toBe(english)
    expect(Object.keys(eventWords.de.events)).toEqual(Object.keys(eventWords.en.events))
    if (german !== undefined) expect(wordsOfEvent(type, eventWords.de)).toBe(german)
  })
})
