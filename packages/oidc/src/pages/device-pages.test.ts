import { describe, expect, it } from 'vitest'
import { answerOf, grafana, htmlOf, languages, target, textOf } from '../../test/pages.fixture.ts'
import {
  deviceCodePage,
  deviceConfirmPage,
  deviceDeniedPage,
  deviceDonePage,
} from './device-pages.ts'
import { wordsOf } from './words/languages.ts'
import type { DeviceProblem } from './words/words.ts'

describe('the page for the code of a device', () => {
  it('fills in the code of a link, and does not send it', () => {
    const html = htmlOf((language) => deviceCodePage({ userCode: 'WDJB-"MJHT', target }, language))
    expect(html).toContain('<input id="code" name="user_code" value="WDJB-&#34;MJHT"')
    expect(html).toContain('<form method="post" action="/oidc/interaction/i1?ui_locales=en">')
    expect(html).not.toContain('aria-invalid="true"')
  })

  it.each(Object.keys(wordsOf.en.device.problems) as DeviceProblem[])(
    'says at the field that a code is %s, in every language',
    (problem) => {
      for (const language of languages) {
        const { status, body } = answerOf(
          (own) => deviceCodePage({ userCode: 'WDJB', problem, target }, own),
          language,
        )
        expect(status).toBe(400)
        expect(body).toContain('aria-invalid="true" aria-describedby="problem"')
        expect(body).toContain(
          `<span class="hint" id="problem">${wordsOf[language].device.problems[problem]}</span>`,
        )
      }
    },
  )

  it('keeps a code that was entered short', () => {
    const html = htmlOf((language) =>
      deviceCodePage({ userCode: 'x'.repeat(100_000), target }, language),
    )
    expect(html).toContain(`value="${'x'.repeat(40)}"`)
  })
})

describe('the page that asks whether a device is one’s own', () => {
  const view = {
    client: grafana,
    userCode: 'WDJB-MJHT',
    device: { agent: 'tv/1.2 <b>', place: '198.51.100.7 (Singapore)' },
    target,
  }

  it('shows the app, the code, what is known of the device, and a warning', () => {
    const text = textOf(htmlOf((language) => deviceConfirmPage(view, language)))
    expect(text).toContain('Connect a device to \u2068Grafana\u2069?')
    expect(text).toContain('WDJB-MJHT')
    expect(text).toContain('Device tv/1.2 &lt;b&gt; Place 198.51.100.7 (Singapore)')
    expect(text).toContain('If someone sent you the code, they would get into your account.')
  })

  it('sends abort=yes by the first button, and nothing by the second', () => {
    const html = htmlOf((language) => deviceConfirmPage(view, language))
    expect(html.match(/<button[^>]*>/g)).toEqual([
      '<button type="submit" name="abort" value="yes" class="plain">',
      '<button type="submit">',
    ])
  })

  it('leaves out what is not known', () => {
    const html = htmlOf((language) => deviceConfirmPage({ ...view, device: {} }, language))
    expect(html).not.toContain('<dl>')
  })
})

it.each(languages)('the pages after it have their words in %s', (language) => {
  const done = textOf(htmlOf((own) => deviceDonePage(grafana, own), language))
  expect(done).toContain(wordsOf[language].device.doneTitle)
  expect(done).toContain('\u2068Grafana\u2069')
  const denied = htmlOf((own) => deviceDeniedPage(own), language)
  expect(denied).toContain(wordsOf[language].device.deniedText)
  expect(denied).not.toContain('<form')
})
