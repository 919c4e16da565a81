import { describe, expect, it } from 'vitest'
import { deliver, describeDelivery, testPorts } from '../delivery.fixture.ts'
import type { SampleOptions } from '../notifier.fixture.ts'
import { mattermost } from './notifier.ts'

describeDelivery({
  kind: mattermost,
  settings: (url) => ({ webhook_url: `${url}/hooks/s3cret` }),
  secrets: ['s3cret'],
  accepted: { body: 'ok' },
})

async function bodyOf(given: object, notification: SampleOptions = {}): Promise<string> {
  const { result, requests } = await deliver({
    kind: mattermost,
    settings: () => ({ webhook_url_file: '/hooks/x', ...given }),
    portsFor: (url) => testPorts({ readFile: async (path) => `${url}${path}\n` }),
    notification,
  })
  expect(result).toEqual({ outcome: 'sent' })
  expect(requests).toMatchObject([
    { method: 'POST', path: '/hooks/x', headers: { 'content-type': 'application/json' } },
  ])
  return requests[0]?.body ?? ''
}

/** Without the default texts of an attachment. */
const bare = { username: '', text: '', title: '', title_link: '', fallback: '', color: '' }

describe('the message', () => {
  it('has one attachment with the configured keys, rendered', async () => {
    const body = await bodyOf({
      channel: 'c-{{ .Status }}',
      username: 'u',
      icon_url: 'http://i/',
      icon_emoji: ':e:',
      type: 'custom_x',
      props: { card: 'the {{ .Status }} card' },
      fallback: 'fb',
      color: '#fff',
      pretext: 'pre',
      text: '<{{ .Status }}>',
      author_name: 'an',
      author_link: 'http://al/',
      author_icon: 'http://ai/',
      title: 't',
      title_link: 'http://tl/',
      fields: [
        { title: 'f', value: 'v {{ .Status }}', short: true },
        { title: 'g', value: 'w' },
      ],
      thumb_url: 'http://th/',
      footer: 'fo',
      footer_icon: 'http://fi/',
      image_url: 'http://im/',
    })
    expect(body).toBe(
      '{"channel":"c-firing","username":"u","icon_url":"http://i/","icon_emoji":":e:",' +
        '"attachments":[{"fallback":"fb","color":"#fff","pretext":"pre",' +
        '"text":"\\u003cfiring\\u003e","author_name":"an","author_link":"http://al/",' +
        '"author_icon":"http://ai/","title":"t","title_link":"http://tl/",' +
        '"fields":[{"title":"f","value":"v firing","short":true},{"title":"g","value":"w"}],' +
        '"thumb_url":"http://th/","footer":"fo","footer_icon":"http://fi/",' +
        '"image_url":"http://im/"}],"type":"custom_x","props":{"card":"the firing card"}}\n',
    )
  })

  it('has the configured attachments instead, and its text above them', async () => {
    const attachments = [{ text: 'a {{ .Status }}' }, { title: 'b' }]
    const body = await bodyOf({ ...bare, text: 'top', title: 'unused', attachments })
    expect(body).toBe('{"text":"top","attachments":[{"text":"a firing"},{"title":"b"}]}\n')
  })

  it.each([
    [false, '[FIRING:2] DiskFull (critical)'],
    [true, '[RESOLVED] DiskFull (critical)'],
  ])('has default texts, resolved: %s', async (resolved, title) => {
    expect(JSON.parse(await bodyOf({}, { resolved }))).toMatchObject({
      username: 'Alertmanager',
      attachments: [{ title, text: expect.stringContaining('DiskFull') }],
    })
  })

  it('is truncated if it is too long', async () => {
    const text = '😀'.repeat(16_384)
    const cut = `${'😀'.repeat(16_382)}…`
    expect(JSON.parse(await bodyOf({ ...bare, text }))).toEqual({ attachments: [{ text: cut }] })
    const attachments = [{ text }]
    expect(JSON.parse(await bodyOf({ ...bare, text, attachments }))).toEqual({
      text: cut,
      attachments: [{ text: cut }],
    })
  })
})

describe('the priority', () => {
  const all = { requested_ack: true, persistent_notifications: true }

  it.each([
    [
      { priority: 'urgent', ...all },
      { priority: 'urgent', ...all },
    ],
    [{ priority: 'urgent' }, { priority: 'urgent' }],
    [
      { priority: '{{ if true }} Important {{ end }}', ...all },
      { priority: 'important', requested_ack: true },
    ],
    [{ priority: 'standard', ...all }, { priority: 'standard' }],
    [{ priority: 'huge', ...all }, { priority: 'standard' }],
    [{ ...all }, { priority: 'standard' }],
  ])('of %o is sent as %o', async (priority, sent) => {
    expect(JSON.parse(await bodyOf({ ...bare, priority }))).toMatchObject({ priority: sent })
    expect(await bodyOf({ ...bare, priority })).toContain(`"priority":${JSON.stringify(sent)}}\n`)
  })
})
