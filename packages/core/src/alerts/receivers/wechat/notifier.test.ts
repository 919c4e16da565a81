import { describe, expect, it } from 'vitest'
import {
  type CapturedRequest,
  captureServer,
  type GivenAnswer,
} from '../../../http/capture-server.fixture.ts'
import { createManualClock } from '../../../testing/index.ts'
import {
  comparable,
  configured,
  recordedIntegration,
  recordedRequests,
} from '../configured.fixture.ts'
import { deliver, describeDelivery, renderedNotification, testPorts } from '../delivery.fixture.ts'
import { wechat } from './notifier.ts'

const { signal } = new AbortController()

/** Issues the tokens TOK, TOK2, … and accepts messages, unless `answer` returns a response. */
function api(answer: (request: CapturedRequest) => GivenAnswer | undefined = () => undefined) {
  let count = 0
  return (request: CapturedRequest): GivenAnswer => {
    const own = answer(request)
    if (own !== undefined) return own
    if (request.method !== 'GET') return { body: '{"errcode":0,"errmsg":"ok"}' }
    count++
    return { body: JSON.stringify({ access_token: `TOK${count === 1 ? '' : count}` }) }
  }
}

describeDelivery({
  kind: wechat,
  settings: (url) => ({ api_url: url, api_secret: 's3cret', corp_id: 'corp' }),
  secrets: ['s3cret'],
  accepted: { body: '{"access_token":"TOK","errcode":0}' },
  isRetried: () => true,
})

describe('recorded requests', () => {
  it('are sent in the same form, with one token for both', async () => {
    const { url, requests } = await captureServer(api())
    const notifier = wechat.create(recordedIntegration('wechat', url), testPorts())
    for (const resolved of [false, true]) {
      const result = await notifier.notify(renderedNotification({ resolved }), signal)
      expect(result).toEqual({ outcome: 'sent' })
    }
    expect(comparable(requests)).toEqual([
      ...recordedRequests('firing', ['wechat gettoken', 'wechat message/send']),
      ...recordedRequests('resolved', ['wechat message/send']),
    ])
  })
})

describe('the message', () => {
  it('has the configured fields, rendered', async () => {
    const { result, requests } = await deliver({
      kind: wechat,
      settings: (url) => ({
        api_url: `${url}/cgi-bin?x=1`,
        api_secret_file: '/secret',
        corp_id: 'c-{{ .Status }}',
        message: '**{{ .Status }}**',
        message_type: 'markdown',
        to_user: 'u|{{ .Status }}',
        to_party: 'p',
        to_tag: 't',
        agent_id: '7',
      }),
      portsFor: () => testPorts({ readFile: async () => 's {{ .Status }}\n' }),
      answer: api(),
    })
    expect(result).toEqual({ outcome: 'sent' })
    expect(requests).toMatchObject([
      {
        method: 'GET',
        path: '/cgi-bin/gettoken?x=1&corpid=c-firing&corpsecret=s+firing',
        body: '',
      },
      { method: 'POST', path: '/cgi-bin/message/send?x=1&access_token=TOK' },
    ])
    expect(requests[1]?.body).toBe(
      '{"text":{"content":""},"touser":"u|firing","toparty":"p","totag":"t","agentid":"7",' +
        '"safe":"0","msgtype":"markdown","markdown":{"content":"**firing**"}}\n',
    )
  })
})

describe('the access token', () => {
  const setUp = async (answer?: (request: CapturedRequest) => GivenAnswer | undefined) => {
    const { url, requests } = await captureServer(api(answer))
    const clock = createManualClock()
    const settings = { api_url: url, api_secret: 's3cret', corp_id: 'corp', message: 'm' }
    const notifier = wechat.create(configured('wechat', settings), testPorts({ clock }))
    const notify = () => notifier.notify(renderedNotification(), signal)
    const paths = () => requests.map(({ path }) => path.replace(/\?corpid=.*/, ''))
    return { notify, clock, paths }
  }

  it('is used for two hours', async () => {
    const { notify, clock, paths } = await setUp()
    await notify()
    clock.advance(7_200_000)
    await notify()
    clock.advance(1)
    await notify()
    expect(paths()).toEqual([
      '/gettoken',
      '/message/send?access_token=TOK',
      '/message/send?access_token=TOK',
      '/gettoken',
      '/message/send?access_token=TOK2',
    ])
  })

  it('is requested again when it has expired', async () => {
    const expired = { body: '{"errcode":42001,"errmsg":"access_token expired"}' }
    const { notify, paths } = await setUp(({ path }) => (/=TOK$/.test(path) ? expired : undefined))
    expect(await notify()).toEqual({
      outcome: 'retry',
      reason: 'other',
      detail: 'the access token has expired',
    })
    expect(await notify()).toEqual({ outcome: 'sent' })
    expect(paths()).toEqual([
      '/gettoken',
      '/message/send?access_token=TOK',
      '/gettoken',
      '/message/send?access_token=TOK2',
    ])
  })

  it.each([
    ['{"errcode":40001,"errmsg":"s3cret is wrong"}', ': <secret> is wrong'],
    ['{"access_token":""}', ''],
  ])('may be denied: %s', async (body, why) => {
    const { notify, paths } = await setUp(() => ({ body }))
    expect(await notify()).toEqual({
      outcome: 'failed',
      reason: 'other',
      detail: `invalid APISecret for CorpID: corp${why}`,
    })
    expect(paths()).toEqual(['/gettoken'])
  })

  it.each(['GET', 'POST'])(
    'or a message is retried if the response to %s cannot be read',
    async (method) => {
      const { notify } = await setUp((request) =>
        request.method === method ? { body: 'busy' } : undefined,
      )
      expect(await notify()).toEqual({
        outcome: 'retry',
        reason: 'other',
        detail: 'cannot read the response of WeChat',
      })
    },
  )

  it('is not shown when a message is refused, which is final', async () => {
    const refused = { body: '{"errcode":60020,"errmsg":"TOK may not"}' }
    const { notify } = await setUp(({ method }) => (method === 'POST' ? refused : undefined))
    expect(await notify()).toEqual({
      outcome: 'failed',
      reason: 'other',
      detail: '<secret> may not (60020)',
    })
  })
})
