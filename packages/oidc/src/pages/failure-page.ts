import type { Page, PageLanguage } from '@gatehouse/core/auth'
import { shortText } from './shown-text.ts'
import { wordsOf } from './words/languages.ts'
import type { FailureKind } from './words/words.ts'

/** How much of each detail is shown. */
const maxDetail = 300

/** The content of the page where people cannot go on. */
export interface FailureView {
  readonly status: number
  readonly kind: FailureKind
  /** For developers: the error's code and description, or the id of the request in the log. They must not hold secrets. */
  readonly details?: readonly string[] | undefined
}

/** Says why people cannot go on, and what to do. */
export function failurePage(
  { status, kind, details = [] }: FailureView,
  language: PageLanguage,
): Page {
  const { title, advice, detail } = wordsOf[language].failure
  const code = details.map((text) => shortText(text, maxDetail)).join('\n')
  return {
    status,
    title,
    parts: [
      { kind: 'text', text: advice[kind] },
      ...(code === '' ? [] : [{ kind: 'code' as const, title: detail, code }]),
    ],
  }
}
