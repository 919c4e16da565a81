import { expect, it } from 'vitest'
import { answerOf, htmlOf, languages, textOf } from '../../test/pages.fixture.ts'
import { failurePage } from './failure-page.ts'
import { wordsOf } from './words/languages.ts'
import type { FailureKind } from './words/words.ts'

it.each(Object.keys(wordsOf.en.failure.advice) as FailureKind[])(
  'the page of a failure of the kind %s says what to do, in every language',
  (kind) => {
    for (const language of languages) {
      const { status, body } = answerOf((own) => failurePage({ status: 400, kind }, own), language)
      expect(status).toBe(400)
      expect(body).toContain(wordsOf[language].failure.advice[kind])
      expect(body).not.toContain('<section>')
    }
  },
)

it('shows what developers need to know as short text', () => {
  const details = ['invalid_request', `<script>${'x'.repeat(10_000)}`]
  const html = htmlOf((own) => failurePage({ status: 400, kind: 'request', details }, own))
  expect(textOf(html)).toContain('For developers invalid_request &lt;script&gt;xxx')
  expect(html.length).toBeLessThan(12_000)
})
