import { describe, expect, it } from 'vitest'
import { captureServer } from '../../../http/capture-server.fixture.ts'
import type { SendRequest } from '../../../http-client/send-request.ts'
import {
  comparable,
  configured,
  recordedIntegration,
  recordedRequests,
} from '../configured.fixture.ts'
import { deliver, describeDelivery, renderedNotification, testPorts } from '../delivery.fixture.ts'
import type { SampleOptions } from '../notifier.fixture.ts'
import type { NotifierPorts } from '../notifier.ts'
import { sns } from './notifier.ts'
import { signSigv4 } from './sigv4.ts'

const { signal } = new AbortController()
const sigv4 = { region: 'us-east-2', access_key: 'AKID', secret_key: 'S3CRET' }
const topic_arn = 'arn:aws:sns:us-east-2:1:T'
const hash = '17c4e445d234645c9e547ff6d32a864af0ebdadcd1902771c24c8d366637ff41'

describeDelivery({
  kind: sns,
  settings: (url) => ({ api_url: url, sigv4, topic_arn }),
  secrets: ['S3CRET'],
})

describe.each(['firing', 'resolved'] as const)('recorded requests, %s', (phase) => {
  it('are sent in the same form', async () => {
    const { url, requests } = await captureServer()
    const notifier = sns.create(recordedIntegration('sns', url), testPorts())
    await notifier.notify(renderedNotification({ resolved: phase === 'resolved' }), signal)
    const [recorded] = recordedRequests(phase, ['sns'])
    const authorization = expect.stringMatching(
      /^AWS4-HMAC-SHA256 Credential=AK\/20260101\/us-east-2\/sns\/aws4_request, SignedHeaders=content-type;host;x-amz-date, Signature=[\da-f]{64}$/,
    )
    const { 'x-amz-date': _, ...recordedHeaders } = recorded?.headers ?? {}
    const headers = { ...recordedHeaders, 'user-agent': expect.any(String), authorization }
    expect(comparable(requests)).toEqual([{ ...recorded, headers }])
    expect(requests[0]?.headers['x-amz-date']).toBe('20260101T000000Z')
  })
})

/** The parameters of the published message. */
async function published(
  given: object,
  notification: SampleOptions = {},
): Promise<Readonly<Record<string, string>>> {
  const { requests } = await deliver({
    kind: sns,
    settings: (url) => ({ api_url: url, sigv4, message: 'm', subject: '', ...given }),
    notification,
  })
  const { Action, Version, ...parameters } = Object.fromEntries(
    new URLSearchParams(requests[0]?.body),
  )
  expect([Action, Version]).toEqual(['Publish', '2010-03-31'])
  return parameters
}

describe('a published message', () => {
  it.each([
    ['topic_arn', 'TopicArn'],
    ['target_arn', 'TargetArn'],
    ['phone_number', 'PhoneNumber'],
  ])('goes to the %s', async (key, parameter) => {
    const parameters = await published({ [key]: 'to-{{ .Status }}', subject: 's {{ .Status }}' })
    expect(parameters).toEqual({ [parameter]: 'to-firing', Subject: 's firing', Message: 'm' })
  })

  it('keeps its order in a FIFO topic', async () => {
    expect(await published({ topic_arn: 't{{ ".fifo" }}' })).toEqual({
      TopicArn: 't.fifo',
      Message: 'm',
      MessageDeduplicationId: hash,
      MessageGroupId: hash,
    })
    expect(await published({ target_arn: 't.fifo' })).toEqual({ TargetArn: 't.fifo', Message: 'm' })
  })

  it('has attributes by their names', async () => {
    const attributes = { b: '2', 'a{{ .Status }}': '{{ .Status }}' }
    expect(await published({ topic_arn, attributes })).toEqual({
      TopicArn: topic_arn,
      Message: 'm',
      'MessageAttributes.entry.1.Name': 'afiring',
      'MessageAttributes.entry.1.Value.DataType': 'String',
      'MessageAttributes.entry.1.Value.StringValue': 'firing',
      'MessageAttributes.entry.2.Name': 'b',
      'MessageAttributes.entry.2.Value.DataType': 'String',
      'MessageAttributes.entry.2.Value.StringValue': '2',
    })
  })

  it.each([
    ['topic_arn', 262_144],
    ['target_arn', 262_144],
    ['phone_number', 1_600],
  ])('is limited in bytes: to a %s %i', async (key, limit) => {
    const fits = `${'é'.repeat(limit / 2 - 1)}ab`
    expect(await published({ [key]: 'x', message: fits })).toHaveProperty('Message', fits)
    const within = await published({ [key]: 'x', message: `a${'é'.repeat(limit / 2)}` })
    expect(within).toMatchObject({
      Message: `a${'é'.repeat(limit / 2 - 1)}`,
      'MessageAttributes.entry.1.Name': 'truncated',
      'MessageAttributes.entry.1.Value.StringValue': 'true',
    })
  })

  it('has a subject of limited length', async () => {
    const subject = 'é'.repeat(100)
    const { Subject } = await published({ topic_arn, subject })
    expect(Subject).toBe(`${'é'.repeat(98)}…`)
  })
})

/** The request that is sent, without a server. */
async function sent(settings: object, ports: Partial<NotifierPorts> = {}) {
  const requests: Parameters<SendRequest>[] = []
  const send: SendRequest = async (...request) => {
    requests.push(request)
    return { status: 200, headers: new Headers(), body: '' }
  }
  const integration = configured('sns', { topic_arn, sigv4, ...settings })
  const notifier = sns.create(integration, testPorts({ send, ...ports }))
  const result = await notifier.notify(renderedNotification(), signal)
  const [[request, http] = []] = requests
  return { result, request, http, integration }
}

describe('a request', () => {
  it.each([
    ['us-east-2', '', 'https://sns.us-east-2.amazonaws.com/'],
    ['cn-north-1', '', 'https://sns.cn-north-1.amazonaws.com.cn/'],
    ['x', 'http://sns.{{ .Status }}.example.org:8080/a', 'http://sns.firing.example.org:8080/a/'],
    ['x', 'https://h/a/?q=1', 'https://h/a/?q=1'],
  ])('in the region %s with the URL %j goes to %s', async (region, api_url, url) => {
    const { request } = await sent({ api_url, sigv4: { ...sigv4, region } })
    expect(request?.url).toBe(url)
  })

  it('is signed', async () => {
    const { request } = await sent({})
    if (request === undefined) throw new RangeError('nothing was sent')
    const { authorization, 'x-amz-date': _, ...headers } = request.headers ?? {}
    const signed = signSigv4(
      { ...request, headers },
      {
        credentials: { accessKeyId: 'AKID', secretAccessKey: 'S3CRET' },
        region: 'us-east-2',
        service: 'sns',
        now: Date.UTC(2026, 0, 1),
      },
    )
    expect(authorization).toBe(signed.headers?.authorization)
  })

  it('is sent by http_config, unless the AWS client is configured', async () => {
    const http_config = { proxy_url: 'http://proxy/' }
    const own = await sent({ http_config })
    expect(own.http).toBe(own.integration.http_config)
    const aws = await sent({ http_config, use_aws_http_client: true })
    expect(aws.http?.proxy_url).toBeUndefined()
  })

  it('that is refused reports the reason', async () => {
    const body =
      '<ErrorResponse><Error><Type>Sender</Type><Code>NotFound</Code><Message>Topic does not exist</Message></Error></ErrorResponse>'
    const { result } = await deliver({
      kind: sns,
      settings: (url) => ({ api_url: url, sigv4, topic_arn }),
      answer: () => ({ status: 404, body }),
    })
    expect(result).toEqual({
      outcome: 'failed',
      reason: 'clientError',
      detail: 'unexpected status code 404: NotFound: Topic does not exist',
    })
  })
})

describe('credentials', () => {
  const credentials = { accessKeyId: 'ASIA', secretAccessKey: 'x', sessionToken: 'tok' }

  it.each<[string, object]>([
    ['none are configured', { region: 'r' }],
    ['a profile is named', { region: 'r', profile: 'p' }],
    ['a role is to be assumed', { ...sigv4, role_arn: 'arn:role', external_id: 'e' }],
  ])('come from the option if %s', async (_, given) => {
    const calls: unknown[] = []
    const { request, integration } = await sent(
      { sigv4: given },
      {
        awsCredentials: async (config) => {
          calls.push(config)
          return credentials
        },
      },
    )
    expect(calls).toEqual([integration.sigv4])
    expect(request?.headers).toMatchObject({
      'x-amz-security-token': 'tok',
      authorization: expect.stringContaining('Credential=ASIA/'),
    })
  })

  it('may include the region', async () => {
    const awsCredentials = async () => ({ ...credentials, region: 'eu-west-1' })
    const { request } = await sent({ sigv4: {} }, { awsCredentials })
    expect(request?.url).toBe('https://sns.eu-west-1.amazonaws.com/')
  })

  it('that are unavailable are requested again', async () => {
    const awsCredentials = () => Promise.reject(new Error('no metadata service'))
    const { result } = await sent({ sigv4: { region: 'r' } }, { awsCredentials })
    expect(result).toEqual({
      outcome: 'retry',
      reason: 'other',
      detail: 'no AWS credentials: no metadata service',
    })
  })

  it.each<[string, object, string]>([
    ['there is no provider of credentials', { sigv4: { region: 'r' } }, 'no access_key'],
    ['there is no provider for a profile', { sigv4: { profile: 'p' } }, 'profile'],
    ['there is no provider for a role', { sigv4: { ...sigv4, role_arn: 'a' } }, 'role_arn'],
    ['there is no region', { sigv4: { ...sigv4, region: '' } }, 'no region'],
    ['the region is not valid', { sigv4: { ...sigv4, region: 'a.b/' } }, 'invalid region "a.b/"'],
    ['the URL is not valid', { api_url: 'sns.local' }, 'api_url must be'],
    ['the URL has another scheme', { api_url: 'ftp://h/' }, 'api_url must be'],
  ])('or other settings are an error if %s', async (_, settings, message) => {
    await expect(sent(settings)).rejects.toMatchObject({
      reason: 'InvalidSns',
      message: expect.stringContaining(message),
    })
  })
})
