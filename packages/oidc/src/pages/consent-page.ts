import type { Page, PageLanguage, PagePart } from '@gatehouse/core/auth'
import { type AskedFor, askedInWords, type ScopeNames } from './asked-for.ts'
import {
  appName,
  emblemOfClient,
  linksOfClient,
  type ShownClient,
  webHost,
} from './shown-client.ts'
import { isolated, shortText } from './shown-text.ts'
import { wordsOf } from './words/languages.ts'

/** The account that a page is about. */
export interface ShownAccount {
  /** As its owner knows it: an address, or a name. */
  readonly name: string
  readonly detail?: string | undefined
}

/** Where a page is sent, and what goes along to prove that it was this page. */
export interface PageTarget {
  readonly action: string
  readonly values: Readonly<Record<string, string>>
}

/** What the consent page shows. */
export interface ConsentView {
  readonly client: ShownClient
  readonly account: ShownAccount
  readonly asked: AskedFor
  readonly names: ScopeNames
  /** Where the answer is sent; `undefined` for a device, which asks for it. */
  readonly redirectUri?: string | undefined
  readonly target: PageTarget
}

/** The field of the form that has the answer. */
const decisionField = 'decision'

/** The answers of people to the consent page. `switch` is the wish to sign in with another account first. */
export type Decision = 'allow' | 'deny' | 'switch'

/** The answer in a form that was sent; `undefined` for anything else. */
export function decisionOf(form: URLSearchParams): Decision | undefined {
  const [value, ...more] = form.getAll(decisionField)
  const isOne = value === 'allow' || value === 'deny' || value === 'switch'
  return isOne && more.length === 0 ? value : undefined
}

/** Asks whether an app may have what it asks for. */
export function consentPage(view: ConsentView, language: PageLanguage): Page {
  const { client, account, redirectUri, target } = view
  const words = wordsOf[language].consent
  const host = redirectUri === undefined ? undefined : webHost(redirectUri)
  const button = (text: string, value: Decision, look?: 'plain') => ({
    text,
    name: decisionField,
    value,
    look,
  })
  const links = linksOfClient(client, host, language)
  return {
    status: 200,
    title: words.title(appName(client)),
    emblem: emblemOfClient(client),
    parts: [
      // The first button of a form is the one that a stray Enter would press. This one grants nothing.
      {
        ...personOf(account, language),
        button: button(words.otherAccount, 'switch', 'plain'),
      },
      ...warningOf(client, host, language),
      ...askedParts(view, language),
      { kind: 'text', text: nextPlace(view, host, language) },
      {
        kind: 'buttons',
        buttons: [button(words.deny, 'deny', 'plain'), button(words.allow, 'allow')],
      },
      ...(links.length === 0 ? [] : [{ kind: 'links' as const, links }]),
    ],
    form: { ...target, leadsTo: redirectUri },
  }
}

/** Of an address most is shown, because people tell their accounts apart by it. */
const maxAccount = 100

/** Who is signed in. */
export const personOf = (
  { name, detail }: ShownAccount,
  language: PageLanguage,
): Extract<PagePart, { readonly kind: 'person' }> => ({
  kind: 'person',
  label: wordsOf[language].consent.signedInAs,
  name: shortText(name, maxAccount),
  detail: detail === undefined ? undefined : shortText(detail, maxAccount),
})

function warningOf(
  { isSelfRegistered }: ShownClient,
  host: string | undefined,
  language: PageLanguage,
): readonly PagePart[] {
  if (!isSelfRegistered) return []
  const { uncheckedAt, uncheckedHere } = wordsOf[language].consent
  return [
    { kind: 'warning', text: host === undefined ? uncheckedHere : uncheckedAt(isolated(host)) },
  ]
}

function askedParts({ asked, names }: ConsentView, language: PageLanguage): readonly PagePart[] {
  const { asks, asksOf } = wordsOf[language].consent
  return askedInWords(asked, names, language).map(({ api, items }) => ({
    kind: 'list',
    title: api === undefined ? asks : asksOf(api),
    items,
  }))
}

function nextPlace(
  { redirectUri }: ConsentView,
  host: string | undefined,
  language: PageLanguage,
): string {
  const { goesTo, goesHere, goesToDevice } = wordsOf[language].consent
  if (redirectUri === undefined) return goesToDevice
  // A host is shown whole, because its end says whose it is.
  return host === undefined ? goesHere : goesTo(isolated(host))
}
