import { describe, expect, it } from 'vitest'
import { languages } from '../../test/pages.fixture.ts'
import { standardScopes } from '../config/settings.ts'
import { type AskedFor, askedInWords, type ScopeNames } from './asked-for.ts'

const api = 'https://api.harbor.example'
const names: ScopeNames = {
  scopes: new Map([
    [
      'team',
      { claims: ['department', 'manager'], description: { en: 'Your team', de: 'Ihr Team' } },
    ],
    ['bare', { claims: [] }],
  ]),
  resources: new Map([
    [
      api,
      {
        identifier: api,
        name: { en: 'Harbor API', de: 'Hafen-API' },
        scopes: ['berths:read', 'berths:write', 'constructor', 'team'],
        descriptions: { 'berths:read': { en: 'See berths', de: 'Liegeplätze ansehen' } },
      },
    ],
  ]),
}
const inWords = (asked: AskedFor, language: 'en' | 'de' = 'en') =>
  askedInWords(asked, names, language)

describe('what an app asks for', () => {
  it('is in words, with access in absence at the end', () => {
    expect(inWords({ scopes: ['offline_access', 'openid', 'email'] })).toEqual([
      {
        items: [
          'An identifier, by which it recognizes you',
          'Your email address',
          'Access while you are away, until you withdraw it',
        ],
      },
    ])
  })

  it('has words for every standard scope in every language', () => {
    for (const language of languages) {
      const scopes = Object.keys(standardScopes)
      const [{ items } = { items: [] }] = askedInWords({ scopes }, names, language)
      expect(items).toHaveLength(scopes.length)
      for (const item of items) expect(scopes).not.toContain(item)
    }
  })

  it('is named by the app whose scope it is, in its language, else by its name', () => {
    expect(inWords({ scopes: ['team', 'bare', 'unknown'] }, 'de')).toEqual([
      { items: ['Ihr Team', 'bare', 'unknown'] },
    ])
  })

  it('names a claim as its scope, once', () => {
    const claims = ['given_name', 'picture', 'manager', 'email', 'shoe_size']
    expect(inWords({ scopes: ['email'], claims })).toEqual([
      {
        items: [
          'Your email address',
          'Your name, your picture and the rest of your profile',
          'Your team',
          'shoe_size',
        ],
      },
    ])
  })

  it('is apart for each API', () => {
    const resources = [
      { identifier: api, scopes: ['berths:read', 'berths:write', 'team'] },
      { identifier: 'urn:other', scopes: ['constructor'] },
    ]
    expect(inWords({ scopes: [], resources }, 'de')).toEqual([
      {
        api: '\u2068Hafen-API\u2069',
        items: ['Liegeplätze ansehen', 'berths:write', 'Ihr Team'],
      },
      { api: '\u2068urn:other\u2069', items: ['constructor'] },
    ])
  })

  it('takes names of members that every object has for names', () => {
    const odd = ['constructor', '__proto__', 'toString']
    expect(
      inWords({ scopes: odd, claims: odd, resources: [{ identifier: api, scopes: odd }] }),
    ).toEqual([{ items: odd }, { api: '\u2068Harbor API\u2069', items: odd }])
  })
})
