import type { Page, PageLanguage } from '@gatehouse/core/auth'
import { type PageTarget, personOf, type ShownAccount } from './consent-page.ts'
import { appName, emblemOfClient, type ShownClient } from './shown-client.ts'
import { wordsOf } from './words/languages.ts'

/** The content of the page on which people confirm that they sign out. */
export interface LogoutView {
  /** The app that asks, if it said so. */
  readonly client?: ShownClient | undefined
  readonly account?: ShownAccount | undefined
  /** Where the answer is sent, if the app has registered it. */
  readonly redirectUri?: string | undefined
  readonly target: PageTarget
}

/**
 * Asks whether to sign out. Yes sends `logout=yes`; no sends the form without it.
 *
 * @see OpenID Connect RP-Initiated Logout 1.0, section 2
 */
export function logoutPage(
  { client, account, redirectUri, target }: LogoutView,
  language: PageLanguage,
): Page {
  const words = wordsOf[language].logout
  return {
    status: 200,
    title: words.title,
    emblem: client && emblemOfClient(client),
    parts: [
      { kind: 'text', text: client === undefined ? words.text : words.askedBy(appName(client)) },
      ...(account === undefined ? [] : [personOf(account, language)]),
      {
        kind: 'buttons',
        buttons: [
          { text: words.stay, look: 'plain' },
          { text: words.confirm, name: 'logout', value: 'yes' },
        ],
      },
    ],
    form: { ...target, leadsTo: redirectUri },
  }
}

/** Says whether people have signed out, where no app waits for them. */
export function logoutDonePage(isSignedOut: boolean, language: PageLanguage): Page {
  const { doneTitle, doneText, stayedTitle, stayedText } = wordsOf[language].logout
  return {
    status: 200,
    title: isSignedOut ? doneTitle : stayedTitle,
    parts: [{ kind: 'text', text: isSignedOut ? doneText : stayedText }],
  }
}
