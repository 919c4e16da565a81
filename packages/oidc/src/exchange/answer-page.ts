import type { AuthContext, UserDetails } from '@gatehouse/core'
import type { Answer } from '@gatehouse/core/adapter'
import { type Page, type PageLanguage, pageViewOf } from '@gatehouse/core/auth'
import type { Provider } from 'oidc-provider'
import type { OidcSettings } from '../config/settings.ts'
import type { ShownAccount } from '../pages/consent-page.ts'
import type { ShownClient } from '../pages/shown-client.ts'
import type { Exchange } from './dispatch.ts'
import { languageParameter } from './kept-language.ts'

/** Writes a page in the language of a request. */
export type WritePage = (language: PageLanguage) => Page

/**
 * The answer with a page, in the language and the look of the service. The language that people chose, which the address names, comes
 * before the one that the app wishes for.
 */
export function answerPage(
  auth: AuthContext,
  { request, info }: Exchange,
  write: WritePage,
  locales?: unknown,
): Answer {
  const query = new URLSearchParams(info.query)
  if (typeof locales === 'string' && !query.has(languageParameter)) {
    query.set(languageParameter, locales)
  }
  const { language, show } = pageViewOf(auth, request, String(query))
  return show(write(language))
}

/** An app, as pages show it. */
export const shownClient = (
  { clients }: Pick<OidcSettings, 'clients'>,
  { clientId, clientName, logoUri, policyUri, tosUri }: InstanceType<Provider['Client']>,
): ShownClient => ({
  clientId,
  name: clientName,
  logoUri,
  policyUri,
  tosUri,
  isSelfRegistered: !clients.has(clientId),
})

/** A user, as pages show the account: by what the user signs in with. */
export function shownAccount(user: UserDetails): ShownAccount {
  const { standard_attributes: attributes } = user
  const texts = ['email', 'phone_number', 'preferred_username', 'name'].flatMap((name) => {
    const value = attributes[name]
    return typeof value === 'string' && value !== '' ? [value] : []
  })
  const { name } = attributes
  const [first = user.id] = texts
  return typeof name === 'string' && name !== '' && name !== first
    ? { name, detail: first }
    : { name: first }
}
