import type { Page, PageLanguage } from '@gatehouse/core/auth'
import { shortText } from './shown-text.ts'
import { wordsOf } from './words/languages.ts'
import type { FailureKind } from './words/words.ts'

/** How much of each detail is shown. */
const maxDetail = 300

/** What the page shows where people cannot go on. */
export interface FailureView {
  readonly status: number
  readonly kind: FailureKind
  /** For developers: the error's code and description, or the id of the request in the log. It must not hold secrets. */
  readonly details?: readonly string[] | undefined
}

/** Says why people cannot go on, and what to do. */
export function failurePage(
  { status, kind, details = [] }: FailureView,
  language: PageLanguage,
): Page {
  const { title, advice, detail } = wordsOf[language].failure
  return {
    status,
    title,
    parts: [
      { kind: 'text', text: advice[kind] },
      ...(details.length === 0
        ? []
        : [
            {
              kind: 'list' as const,
              title: detail,
              items: details.map((text) => shortText(text, maxDetail)),
            },
          ]),
    ],
  }
}
