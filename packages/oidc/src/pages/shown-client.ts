import { parseUrl } from '@gatehouse/core/adapter'
import type { PageEmblem, PageLanguage, PageLink } from '@gatehouse/core/auth'
import { isolated, shortText } from './shown-text.ts'
import { wordsOf } from './words/languages.ts'

/** An app, as pages show it. */
export interface ShownClient {
  readonly clientId: string
  readonly name?: string | undefined
  /** Whether the app has described itself: it registered dynamically, or its id is the URL of a document about it. */
  readonly isSelfRegistered: boolean
  readonly logoUri?: string | undefined
  readonly policyUri?: string | undefined
  readonly tosUri?: string | undefined
}

/** The name of an app, else its id. An app may have chosen a name that cannot be seen. */
const nameOf = ({ name = '', clientId }: ShownClient): string =>
  shortText(name) || shortText(clientId)

/** The name of an app within a sentence. */
export const appName = (client: ShownClient): string => isolated(nameOf(client))

/**
 * The logo of an app, else the first letter of its name. One that an app registered for itself is not loaded: it could be the
 * logo of another, and its server would learn who opens the page.
 */
export function emblemOfClient(client: ShownClient): PageEmblem {
  return { name: nameOf(client), image: client.isSelfRegistered ? undefined : client.logoUri }
}

/**
 * Links to the documents of an app. Those of an app that registered itself must be at the host that it goes on at.
 *
 * @see RFC 7591, section 5
 */
export function linksOfClient(
  { policyUri, tosUri, isSelfRegistered }: ShownClient,
  host: string | undefined,
  language: PageLanguage,
): readonly PageLink[] {
  const { policy, terms } = wordsOf[language].consent
  const documents = [
    { uri: policyUri, text: policy },
    { uri: tosUri, text: terms },
  ]
  return documents.flatMap(({ uri, text }) => {
    const url = uri === undefined ? undefined : parseUrl(uri)
    const isShown = url?.protocol === 'https:' && (!isSelfRegistered || url.host === host)
    return isShown ? [{ href: url.href, text }] : []
  })
}

/** The host of an address on the web; `undefined` for an app on this device. */
export function webHost(address: string): string | undefined {
  const url = parseUrl(address)
  if (url === undefined || !/^https?:$/.test(url.protocol)) return undefined
  return /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname) ? undefined : url.host
}
