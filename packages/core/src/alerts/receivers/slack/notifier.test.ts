import { describe, expect, it } from 'vitest'
import {
  type CapturedRequest,
  captureServer,
  type GivenAnswer,
} from '../../../http/capture-server.fixture.ts'
import { createManualClock } from '../../../testing/index.ts'
import { configured } from '../configured.fixture.ts'
import {
  deliver,
  describeDelivery,
  portsInsteadOf,
  renderedNotification,
  testPorts,
} from '../delivery.fixture.ts'
import type { SampleOptions } from '../notifier.fixture.ts'
import { slack } from './notifier.ts'

const accepted = { body: 'ok' }

describe('by a webhook', () => {
  describeDelivery({
    kind: slack,
    settings: (url) => ({ api_url: `${url}/services/T0/B0/s3cret` }),
    secrets: ['s3cret'],
    accepted,
    recorded: { firing: ['slack'], resolved: ['slack'] },
  })

  it('reads the URL from a file', async () => {
    const { requests } = await deliver({
      kind: slack,
      settings: () => ({ api_url_file: '/u' }),
      portsFor: (url) => testPorts({ readFile: async (path) => ` ${url}${path}\n` }),
      answer: () => accepted,
    })
    expect(requests.map(({ path }) => path)).toEqual(['/u'])
  })
})

describe('as an app', () => {
  describeDelivery({
    kind: slack,
    settings: (url) => ({ app_token: 'xoxb-1', app_url: `${url}/api/chat.postMessage` }),
    secrets: ['xoxb-1'],
    accepted: { headers: { 'content-type': 'application/json' }, body: '{"ok":true}' },
  })

  it.each([{ app_token: 'tok' }, { app_token_file: '/tok' }])(
    'has the token of %j',
    async (given) => {
      const { requests } = await deliver({
        kind: slack,
        settings: (url) => ({ ...given, app_url: `${url}/post?a=1` }),
        portsFor: () => testPorts({ readFile: async () => 'tok\n' }),
        answer: () => accepted,
      })
      expect(requests).toMatchObject([
        {
          method: 'POST',
          path: '/post?a=1',
          headers: { authorization: 'Bearer tok', 'content-type': 'application/json' },
        },
      ])
    },
  )
})

describe('the message', () => {
  async function bodyOf(given: object, notification: SampleOptions = {}): Promise<string> {
    const { requests } = await deliver({
      kind: slack,
      settings: (url) => ({ api_url: url, ...given }),
      answer: () => accepted,
      notification,
    })
    return requests[0]?.body ?? expect.unreachable()
  }

  /** Templates that render to the name of their field and the status. */
  const templates = (...names: readonly string[]): Readonly<Record<string, string>> =>
    Object.fromEntries(names.map((name) => [name, `${name}-{{ .Status }}`]))

  it('has all configured fields, rendered, in order', async () => {
    const body = await bodyOf({
      ...templates('channel', 'username', 'icon_emoji', 'icon_url', 'message_text', 'title'),
      ...templates('title_link', 'pretext', 'text', 'fallback', 'callback_id', 'image_url'),
      ...templates('thumb_url', 'footer', 'color'),
      link_names: true,
      fields: [{ ...templates('title', 'value'), short: false }],
      short_fields: true,
      actions: [
        {
          ...templates('type', 'text', 'name', 'value', 'style'),
          confirm: templates('text', 'title', 'ok_text', 'dismiss_text'),
        },
        templates('type', 'text', 'url', 'style'),
      ],
      mrkdwn_in: ['text', '{{ x'],
    })
    expect(body).toBe(
      '{"channel":"channel-firing","username":"username-firing","icon_emoji":"icon_emoji-firing",' +
        '"icon_url":"icon_url-firing","link_names":true,"text":"message_text-firing","attachments":[{' +
        '"title":"title-firing","title_link":"title_link-firing","pretext":"pretext-firing",' +
        '"text":"text-firing","fallback":"fallback-firing","callback_id":"callback_id-firing",' +
        '"fields":[{"title":"title-firing","value":"value-firing","short":false}],' +
        '"actions":[{"type":"type-firing","text":"text-firing","style":"style-firing",' +
        '"name":"name-firing","value":"value-firing","confirm":{"text":"text-firing",' +
        '"title":"title-firing","ok_text":"ok_text-firing","dismiss_text":"dismiss_text-firing"}},' +
        '{"type":"type-firing","text":"text-firing","url":"url-firing","style":"style-firing"}],' +
        '"image_url":"image_url-firing","thumb_url":"thumb_url-firing","footer":"footer-firing",' +
        '"color":"color-firing","mrkdwn_in":["text","{{ x"]}]}\n',
    )
  })

  it('leaves out empty fields, except required ones', async () => {
    const empty = ['username', 'title', 'title_link', 'text', 'fallback', 'footer', 'color']
    const body = await bodyOf(Object.fromEntries(empty.map((name) => [name, ''])))
    expect(JSON.parse(body)).toEqual({
      attachments: [
        {
          text: '',
          fallback: '',
          callback_id: '',
          footer: '',
          mrkdwn_in: ['fallback', 'pretext', 'text'],
        },
      ],
    })
  })

  it('truncates a title that is too long', async () => {
    const body = JSON.parse(await bodyOf({ title: '😀'.repeat(1_025) }))
    expect(body).toMatchObject({ attachments: [{ title: `${'😀'.repeat(1_023)}…` }] })
  })

  it('has short fields unless a field overrides it', async () => {
    const fields = [{ title: 't', value: 'v' }]
    expect(JSON.parse(await bodyOf({ fields, short_fields: true }))).toMatchObject({
      attachments: [{ fields: [{ short: true }] }],
    })
  })
})

describe('a response with a success status', () => {
  const json = { 'content-type': 'application/json; charset=utf-8' }
  const resultOf = async (answer: GivenAnswer) => {
    const { result } = await deliver({
      kind: slack,
      settings: (url) => ({ api_url: url, channel: '#{{ .Status }}' }),
      answer: () => answer,
    })
    return result
  }
  const refused = (why: string): object => ({
    outcome: 'failed',
    reason: 'clientError',
    detail: `Slack did not accept the message to channel "#firing": ${why}`,
  })

  it.each([
    { body: 'ok' },
    { body: 'ok', headers: { 'content-type': 'text/html' } },
    { body: '{"ok":true}', headers: json },
    { body: '{"ok":true,"ts":"1.2","channel":"C1"}', headers: json },
    { body: '{"ok":true,"ts":"1.2","message":{"text":"and so', headers: json },
  ])('is a success if it is $body', async (answer) => {
    expect(await resultOf(answer)).toEqual({ outcome: 'sent' })
  })

  it.each([
    { body: '{"ok":false,"error":"channel_not_found"}', headers: json, why: 'channel_not_found' },
    { body: '{"ok":false,"error":"no_text"}', why: 'no_text' },
    { body: 'no_team', why: 'no_team' },
    { body: 'ok\n', why: 'ok' },
    { body: '', why: '' },
  ])('is a final failure if it is $body', async ({ why, ...answer }) => {
    expect(await resultOf(answer)).toEqual(refused(why))
  })

  it('is retried if it claims to be JSON but is not', async () => {
    expect(await resultOf({ body: '<html>', headers: json })).toEqual({
      ...refused('its response cannot be read'),
      outcome: 'retry',
    })
  })
})

describe('with update_message', () => {
  const post = '/api/chat.postMessage'
  const update = '/api/chat.update'
  const kept = { threadTs: '17.000100', channelId: 'C024' }
  const ongoing: SampleOptions = { reason: 'new alerts added', kept }
  const posted = '{"ok":true,"channel":"C024","ts":"17.000100"}'

  const notify = (
    notification: SampleOptions,
    answer: (request: CapturedRequest) => string = () => posted,
    given: object = {},
  ) =>
    deliver({
      kind: slack,
      settings: (url) => ({
        app_token: 'tok',
        app_url: url + post,
        channel: '#c',
        update_message: true,
        ...given,
      }),
      answer: (request) => ({
        headers: { 'content-type': 'application/json' },
        body: answer(request),
      }),
      notification,
    })

  it('keeps the identifiers of the message', async () => {
    const { result, requests } = await notify({})
    expect(result).toEqual({ outcome: 'sent', keep: kept })
    expect(requests.map(({ path }) => path)).toEqual([post])
    expect(JSON.parse(requests[0]?.body ?? '')).not.toHaveProperty('ts')
  })

  it('updates the message with the identity that posted it', async () => {
    const { result, requests } = await notify(ongoing)
    expect(result).toEqual({ outcome: 'sent', keep: kept })
    expect(requests).toMatchObject([{ path: update, headers: { authorization: 'Bearer tok' } }])
    expect(requests[0]?.body).toMatch(
      /^\{"channel":"C024","ts":"17\.000100","username":"Alertmanager","attachments":/,
    )
  })

  it('posts another message for another incident', async () => {
    const { requests } = await notify({ reason: 'first notification', kept })
    expect(requests.map(({ path }) => path)).toEqual([post])
  })

  it('posts a message if nothing is kept', async () => {
    const { result, requests } = await notify({ ...ongoing, kept: { threadTs: '1' } }, () => {
      return '{"ok":true}'
    })
    expect(result).toEqual({ outcome: 'sent', keep: {} })
    expect(requests.map(({ path }) => path)).toEqual([post])
  })

  it.each(['message_not_found', 'cant_update_message', 'edit_window_closed'])(
    'posts another message if the first cannot be updated any more: %s',
    async (error) => {
      const { result, requests } = await notify(ongoing, ({ path }) =>
        path === update ? `{"ok":false,"error":"${error}"}` : posted,
      )
      expect(result).toEqual({ outcome: 'sent', keep: kept })
      expect(requests.map(({ path }) => path)).toEqual([update, post])
      expect(JSON.parse(requests[1]?.body ?? '')).toMatchObject({ channel: '#c' })
    },
  )

  it('fails if an update is refused for another reason', async () => {
    const { result, requests } = await notify(ongoing, () => {
      return '{"ok":false,"error":"msg_too_long"}'
    })
    expect(result).toMatchObject({
      outcome: 'failed',
      detail: 'Slack did not accept the message to channel "C024": msg_too_long',
    })
    expect(requests).toHaveLength(1)
  })

  it('posts a new message each time if it is off', async () => {
    const { result, requests } = await notify(ongoing, () => posted, { update_message: false })
    expect(result).toEqual({ outcome: 'sent' })
    expect(requests.map(({ path }) => path)).toEqual([post])
  })

  it('works with the URL of the API and a token of the client', async () => {
    const { requests } = await deliver({
      kind: slack,
      settings: () => ({ api_url: `https://slack.com${post}`, update_message: true }),
      portsFor: (url) => portsInsteadOf('https://slack.com', url),
      answer: () => ({ body: posted }),
      notification: ongoing,
    })
    expect(requests.map(({ path }) => path)).toEqual([update])
  })

  it('posts with a webhook, which cannot update messages', async () => {
    const { requests } = await deliver({
      kind: slack,
      settings: () => ({ api_url_file: '/u', update_message: true }),
      portsFor: (url) => testPorts({ readFile: async () => `${url}/services/x` }),
      answer: () => accepted,
      notification: ongoing,
    })
    expect(requests.map(({ path }) => path)).toEqual(['/services/x'])
  })
})

it('ends an attempt at its timeout, to be retried', async () => {
  const clock = createManualClock()
  const { url } = await captureServer(() => {
    clock.advance(20)
    return new Promise<never>(() => {})
  })
  const integration = configured('slack', { api_url: url, timeout: '20ms' })
  const notifier = slack.create(integration, testPorts({ clock }))
  const { signal } = new AbortController()
  expect(await notifier.notify(renderedNotification(), signal)).toMatchObject({
    outcome: 'retry',
    reason: 'contextDeadlineExceeded',
  })
})

it('rejects a template that cannot be rendered', async () => {
  const integration = configured('slack', { api_url: 'http://127.0.0.1:1', footer: '{{ .No }}' })
  const notifier = slack.create(integration, testPorts())
  const notified = notifier.notify(renderedNotification(), new AbortController().signal)
  await expect(notified).rejects.toMatchObject({ reason: 'TemplateExecution' })
})
