import type { StandardScope } from '../../config/settings.ts'

/** All that the pages of the provider say in one language. */
export interface OidcWords {
  readonly consent: {
    title(app: string): string
    /** Above the name of the account. */
    readonly signedInAs: string
    readonly otherAccount: string
    /** Above what the app asks for: of the account, and of an API. */
    readonly asks: string
    asksOf(api: string): string
    /** Of an app that registered itself: one that goes on at a host, and one on this device. */
    uncheckedAt(host: string): string
    readonly uncheckedHere: string
    /** What comes after the answer. */
    goesTo(host: string): string
    readonly goesHere: string
    readonly goesToDevice: string
    readonly allow: string
    readonly deny: string
    /** Links to documents of the app. */
    readonly policy: string
    readonly terms: string
  }
  /** What the scopes ask for. */
  readonly scopes: Readonly<Record<StandardScope, string>>
  readonly device: {
    readonly title: string
    readonly text: string
    readonly label: string
    readonly next: string
    readonly problems: Readonly<Record<DeviceProblem, string>>
    confirmTitle(app: string): string
    readonly compare: string
    readonly device: string
    readonly place: string
    readonly warning: string
    readonly confirm: string
    readonly cancel: string
    readonly doneTitle: string
    doneText(app: string): string
    readonly deniedTitle: string
    readonly deniedText: string
  }
  readonly logout: {
    readonly title: string
    readonly text: string
    askedBy(app: string): string
    readonly confirm: string
    readonly stay: string
    readonly doneTitle: string
    readonly doneText: string
    readonly stayedTitle: string
    readonly stayedText: string
  }
  readonly failure: {
    readonly title: string
    readonly advice: Readonly<Record<FailureKind, string>>
    /** Above what developers need to know. */
    readonly detail: string
  }
}

/** Why a code of a device was not taken. */
export type DeviceProblem = 'missing' | 'wrong' | 'expired' | 'used' | 'other'

/**
 * Why people cannot go on: the app sent a bad `request`, its page has `expired`, the request came from a `foreign` site or there
 * were `many`, an operator acts as another person (`impersonated`), or there is a `fault` here.
 */
export type FailureKind = 'request' | 'expired' | 'foreign' | 'many' | 'impersonated' | 'fault'
