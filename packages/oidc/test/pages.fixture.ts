import { createAuth } from '@gatehouse/core'
import type { Answer } from '@gatehouse/core/adapter'
import { type Page, type PageLanguage, pageViewOf } from '@gatehouse/core/auth'
import { createMemoryStorage } from '@gatehouse/store-memory'
import type { ConsentView } from '../src/pages/consent-page.ts'
import type { ShownClient } from '../src/pages/shown-client.ts'
import { wordsOf } from '../src/pages/words/languages.ts'

export const languages = Object.keys(wordsOf) as readonly PageLanguage[]

const auth = createAuth({
  storage: createMemoryStorage(),
  config: { id: 'harbor', http: { public_origin: 'https://harbor.example' } },
  secrets: [{ id: 'k1', key: 'a key for tests, of 32 bytes or more' }],
  logger: false,
  brand: { name: 'Harbor Light' },
})

/** The answer with a page, as people of a language get it. */
export function answerOf(
  make: (language: PageLanguage) => Page,
  wish: PageLanguage = 'en',
): Answer {
  const { language, show } = pageViewOf(auth, { headers: new Headers() }, `ui_locales=${wish}`)
  return show(make(language))
}

export function htmlOf(make: (language: PageLanguage) => Page, wish?: PageLanguage): string {
  const { body } = answerOf(make, wish)
  return typeof body === 'string' ? body : ''
}

/** What of a page is read: its texts without tags. */
export const textOf = (html: string): string =>
  html
    .replace(/^.*<main>/s, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()

export const grafana: ShownClient = {
  clientId: 'grafana',
  name: 'Grafana',
  isSelfRegistered: false,
  policyUri: 'https://grafana.example/privacy',
  tosUri: 'https://grafana.example/terms',
}

export const target = { action: '/oidc/interaction/i1', values: { token: 't-1' } } as const

export const consent: ConsentView = {
  client: grafana,
  account: { name: 'maya@example.com', detail: 'Maya Lund' },
  asked: { scopes: ['openid', 'profile', 'email'] },
  names: { scopes: new Map(), resources: new Map() },
  redirectUri: 'https://grafana.example/login/generic_oauth',
  target,
}
