import { createAuth } from '@gatehouse/core'
import type { Answer } from '@gatehouse/core/adapter'
import { type Page, type PageLanguage, pageViewOf } from '@gatehouse/core/auth'
import { createMemoryStorage } from '@gatehouse/store-memory'
import { type ConsentView, consentPage } from '../src/pages/consent-page.ts'
import {
  deviceCodePage,
  deviceConfirmPage,
  deviceDeniedPage,
  deviceDonePage,
} from '../src/pages/device-pages.ts'
import { failurePage } from '../src/pages/failure-page.ts'
import { logoutDonePage, logoutPage } from '../src/pages/logout-pages.ts'
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

/** A page without its list of languages. */
export const withoutLanguages = (html: string): string => html.replace(/<nav.*?<\/nav>/s, '')

/** What of a page is read: its texts without tags. */
export const textOf = (html: string): string =>
  withoutLanguages(html)
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

const api = 'https://api.harbor.example'
const stranger: ShownClient = {
  clientId: 'q1w2',
  name: 'مساعد المرفأ',
  isSelfRegistered: true,
  tosUri: 'https://agent.example/terms',
}

/** Every page, as people see it, by a name. */
export const samplePages: Readonly<Record<string, (language: PageLanguage) => Page>> = {
  consent: (language) => consentPage(consent, language),
  'consent-api': (language) =>
    consentPage(
      {
        ...consent,
        asked: {
          scopes: ['openid', 'profile', 'email', 'groups', 'offline_access'],
          resources: [{ identifier: api, scopes: ['berths:read', 'berths:write'] }],
        },
        names: {
          scopes: new Map(),
          resources: new Map([
            [
              api,
              {
                identifier: api,
                name: 'Harbor API',
                scopes: ['berths:read', 'berths:write'],
                descriptions: { 'berths:read': { en: 'See berths', de: 'Liegeplätze ansehen' } },
              },
            ],
          ]),
        },
      },
      language,
    ),
  'consent-stranger': (language) =>
    consentPage(
      {
        ...consent,
        client: stranger,
        account: { name: `${'a-long-address-'.repeat(6)}@example.com` },
        redirectUri: `https://${'sub-domain.'.repeat(12)}agent.example/cb`,
      },
      language,
    ),
  'consent-native': (language) =>
    consentPage(
      { ...consent, client: { ...stranger, name: 'Agent' }, redirectUri: 'http://127.0.0.1:1/cb' },
      language,
    ),
  'device-code': (language) => deviceCodePage({ userCode: 'WDJB-MJHT', target }, language),
  'device-code-wrong': (language) =>
    deviceCodePage({ userCode: 'WDJB-MJHX', problem: 'wrong', target }, language),
  'device-confirm': (language) =>
    deviceConfirmPage(
      {
        client: grafana,
        userCode: 'WDJB-MJHT',
        device: { agent: 'harbor-cli/1.2', place: '198.51.100.7 (Singapore)' },
        target,
      },
      language,
    ),
  'device-done': (language) => deviceDonePage(grafana, language),
  'device-denied': deviceDeniedPage,
  logout: (language) => logoutPage({ client: grafana, account: consent.account, target }, language),
  'logout-done': (language) => logoutDonePage(true, language),
  'logout-stayed': (language) => logoutDonePage(false, language),
  failure: (language) =>
    failurePage(
      {
        status: 400,
        kind: 'request',
        details: [
          "invalid_redirect_uri: redirect_uri did not match any of the client's registered redirect_uris",
        ],
      },
      language,
    ),
  'failure-expired': (language) => failurePage({ status: 400, kind: 'expired' }, language),
}
