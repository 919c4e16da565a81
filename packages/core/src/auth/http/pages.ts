import { filled, wordsIn } from '../messages/words/languages.ts'
import type { Words } from '../messages/words/words.ts'
import type { Page, PagePart } from './page-answer.ts'

/** The request that a link was sent for, in words. */
export interface ShownRequest {
  /** As `Firefox on Windows`. */
  readonly browser: string
  /** An IP address, with its country if known. */
  readonly place: string
  readonly time: string
}

/** The pages in one language. */
export interface PagesInLanguage {
  /**
   * Asks for confirmation. Opening the link must have no effect, because mail scanners open links too. Names the request that goes
   * on, because a stranger may have asked for the link.
   */
  confirm(request: ShownRequest | undefined): Page
  readonly approved: Page
  /** Asks before sessions end: mail scanners open links, too. */
  readonly notMe: Page
  /** Says that a session has ended, and leads to a new password. */
  disowned(href: string | undefined): Page
  /** Asks before a deletion is withdrawn. */
  keep(time: string): Page
  readonly kept: Page
  /** Shows the code of a recovery link if the host has no page for it. */
  recovery(code: string): Page
  /** For an invalid or expired link. */
  dead(status: number): Page
  /** For a link in whose place a newer one was sent. */
  replaced(status: number): Page
  /** For a failure, by the reason of its error. What an error says to developers is in the log alone. */
  failed(status: number, reason: string): Page
}

/** The pages in a language. */
export function pagesIn(language: string): PagesInLanguage {
  const words = wordsIn(language).pages
  const page = (title: string, ...parts: readonly (string | PagePart)[]): Page => ({
    status: 200,
    title,
    parts: parts.map((part) => (typeof part === 'string' ? { kind: 'text', text: part } : part)),
  })
  /** A page whose button sends it to its own URL. */
  const form = (button: string, title: string, ...texts: readonly string[]): Page => ({
    ...page(title, ...texts, { kind: 'buttons', buttons: [{ text: button }] }),
    form: {},
  })
  return {
    confirm: (request) =>
      form(
        words.confirmButton,
        words.confirmTitle,
        words.confirmFact,
        ...(request === undefined ? [] : [requestIn(words, request, language)]),
        words.confirmWarning,
      ),
    approved: page(words.approvedTitle, words.approvedAdvice),
    notMe: form(words.notMeButton, words.notMeTitle, words.notMeFact),
    disowned: (href) =>
      page(
        words.disownedTitle,
        words.disownedAdvice,
        ...(href === undefined ? [] : [linkTo(href, words.disownedLink)]),
      ),
    keep: (time) =>
      form(words.keepButton, words.keepTitle, filled(words.keepFact, { time }, language)),
    kept: page(words.keptTitle, words.keptFact),
    recovery: (code) => page(words.recoveryTitle, words.recoveryAdvice, { kind: 'code', code }),
    dead: (status) => ({ ...page(words.deadTitle, words.deadAdvice), status }),
    replaced: (status) => ({ ...page(words.deadTitle, words.replacedAdvice), status }),
    failed: (status, reason) => ({
      ...page(words.failedTitle, failureIn(words, reason)),
      status,
    }),
  }
}

const linkTo = (href: string, text: string): PagePart => ({
  kind: 'links',
  links: [{ href, text }],
})

function failureIn(words: Words['pages'], reason: string): string {
  switch (reason) {
    case 'Forbidden':
      return words.foreignAdvice
    case 'HTTPSRequired':
      return words.insecureAdvice
    case 'AccessControlViolated':
      return words.notYoursFact
    default:
      return words.failedAdvice
  }
}

function requestIn(words: Words['pages'], request: ShownRequest, language: string): string {
  return filled(words.confirmRequest, { ...request }, language)
}
