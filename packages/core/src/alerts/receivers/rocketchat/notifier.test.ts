import { describe, expect, it } from 'vitest'
import type { GivenAnswer } from '../../../http/capture-server.fixture.ts'
import { deliver, describeDelivery, testPorts } from '../delivery.fixture.ts'
import type { SampleOptions } from '../notifier.fixture.ts'
import { rocketchat } from './notifier.ts'

const accepted = { body: '{"success":true}' }

describeDelivery({
  kind: rocketchat,
  settings: (url) => ({ api_url: url, token: 't0ken', token_id: 'us3r' }),
  secrets: ['t0ken', 'us3r'],
  accepted,
})

const notify = (given: object, notification: SampleOptions = {}, answer: GivenAnswer = accepted) =>
  deliver({
    kind: rocketchat,
    settings: (url) => ({
      api_url: `${url}/rocket/`,
      token: 'tok',
      token_id_file: '/id',
      channel: '#alerts',
      title: 'x',
      title_link: '',
      text: '',
      ...given,
    }),
    portsFor: () => testPorts({ readFile: async () => ' uid\n' }),
    answer: () => answer,
    notification,
  })

describe('the message', () => {
  it.each([
    [false, 'red'],
    [true, 'green'],
  ])('has the configured fields, rendered, resolved: %s', async (resolved, color) => {
    const settings = {
      emoji: ':fire:',
      icon_url: 'http://i/',
      title: '<{{ .CommonLabels.alertname }}>',
      title_link: '{{ .ExternalURL }}/l',
      text: 'some text',
      image_url: 'http://img/',
      thumb_url: 'http://thumb/',
      short_fields: true,
      fields: [
        { title: 'F', value: 'v {{ .GroupLabels.alertname }}' },
        { title: '', value: 'w', short: false },
      ],
      actions: [{ type: 'link', text: 'go', url: 'http://g/', msg: '' }],
    }
    const { requests } = await notify(settings, { resolved })
    expect(requests).toMatchObject([
      {
        method: 'POST',
        path: '/rocket/api/v1/chat.postMessage',
        headers: {
          'content-type': 'application/json',
          'x-auth-token': 'tok',
          'x-user-id': 'uid',
        },
      },
    ])
    expect(requests[0]?.body).toBe(
      '{"channel":"#alerts","emoji":":fire:","avatar":"http://i/","attachments":[{' +
        '"title":"\\u003cDiskFull\\u003e","title_link":"http://am.example.org/l",' +
        '"text":"some text","image_url":"http://img/","thumb_url":"http://thumb/",' +
        `"color":"${color}","fields":[{"short":true,"title":"F","value":"v DiskFull"},` +
        '{"short":false,"value":"w"}],' +
        '"actions":[{"type":"button","text":"go","url":"http://g/"}]}]}\n',
    )
  })

  it('leaves out empty fields, and truncates a title that is too long', async () => {
    const { requests } = await notify({ channel: '', title: 'é'.repeat(1_025), color: '' })
    expect(requests[0]?.body).toBe(`{"attachments":[{"title":"${'é'.repeat(1_023)}…"}]}\n`)
  })
})

describe('a response with a success status', () => {
  it('may be a refusal', async () => {
    const { result } = await notify({}, {}, { body: '{"success":false,"error":"no tok here"}' })
    expect(result).toEqual({
      outcome: 'failed',
      reason: 'other',
      detail: 'error response from Rocketchat: no <secret> here',
    })
  })

  it('may not come from the service', async () => {
    const { result } = await notify({}, {}, { body: '<html>' })
    expect(result).toEqual({
      outcome: 'retry',
      reason: 'other',
      detail: 'cannot read the response of Rocketchat: <html>',
    })
  })

  it('may be longer than the part that is read', async () => {
    const body = `{"ts":1,"channel":"c","message":{"text":"${'x'.repeat(70_000)}`
    expect((await notify({}, {}, { body })).result).toEqual({ outcome: 'sent' })
  })
})
