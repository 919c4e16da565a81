import { describe, expect, it } from 'vitest'
import { problemsIn } from '../../config/config.fixture.ts'
import {
  certificate,
  createCertifiedService,
  otherCertificate,
  reasonsIn,
  type Sites,
} from '../certified.fixture.ts'
import { awsSns } from './sender.ts'

const host = 'https://sns.us-west-2.amazonaws.com'
const SigningCertURL = `${host}/SimpleNotificationService-f3ecfb7224c7233fe7bb5f59f96de52f.pem`
const topic = 'arn:aws:sns:us-west-2:123456789012:MyTopic'
const sites: Sites = { [SigningCertURL]: () => new Response(certificate.cert) }

const notification = {
  Type: 'Notification',
  MessageId: '22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324',
  TopicArn: topic,
  Subject: 'My First Message',
  Message: 'Hello\nworld!',
  Timestamp: '',
  SignatureVersion: '1',
  Signature: '',
  SigningCertURL,
  UnsubscribeURL: `${host}/?Action=Unsubscribe&SubscriptionArn=${topic}:c9135db0`,
}
const SubscribeURL = `${host}/?Action=ConfirmSubscription&TopicArn=${topic}&Token=2336412f37`
const confirmation = {
  Type: 'SubscriptionConfirmation',
  MessageId: '165545c9-2a5c-472c-8df2-7ff2be2b3b1b',
  Token: '2336412f37',
  TopicArn: topic,
  Message: 'You have chosen to subscribe',
  SubscribeURL,
  Timestamp: '',
  SignatureVersion: '2',
  Signature: '',
  SigningCertURL,
}
const { Subject: _, ...withoutSubject } = notification

/** A service for the topic. */
const createService = (more: Sites = {}, of: string = topic) =>
  createCertifiedService(awsSns, of, { ...sites, ...more })

describe('aws-sns', () => {
  it.each([
    ['1', notification],
    ['2', notification],
    ['1', withoutSubject],
    ['2', withoutSubject],
  ])('runs what is signed in version %s', async (SignatureVersion, message) => {
    const { sign, deliver, runner, asked } = createService()
    expect(await deliver(sign({ ...message, SignatureVersion }))).toBe(202)
    expect(asked).toEqual([SigningCertURL])
    expect(JSON.parse(runner.commands[0]?.command.args[0] ?? '')).toMatchObject({
      Message: 'Hello\nworld!',
    })
  })

  it('fetches a certificate once for deliveries that come together, and keeps it for a day', async () => {
    const { sign, deliver, asked, clock, runner } = createService()
    const messages = ['a', 'b', 'c'].map((MessageId) => sign({ ...notification, MessageId }))
    expect(await Promise.all(messages.map(deliver))).toEqual([202, 202, 202])
    expect(asked).toHaveLength(1)
    expect(runner.commands).toHaveLength(3)
    await clock.advance(24 * 3_600_000)
    const now = clock.now()
    expect(await deliver(sign({ ...notification, MessageId: 'd' }, certificate, { now }))).toBe(202)
    expect(asked).toHaveLength(2)
  })

  it('reads the documented order of what is signed', async () => {
    const { createSign } = await import('node:crypto')
    const { deliver, now } = createService()
    const Timestamp = new Date(now).toISOString()
    const text = `Message\nHello\nworld!\nMessageId\n${notification.MessageId}\nSubject\nMy First Message\nTimestamp\n${Timestamp}\nTopicArn\n${topic}\nType\nNotification\n`
    const Signature = createSign('sha1').update(text).sign(certificate.key, 'base64')
    const body = Buffer.from(JSON.stringify({ ...notification, Timestamp, Signature }))
    expect(await deliver({ headers: { 'content-type': 'text/plain; charset=UTF-8' }, body })).toBe(
      202,
    )
  })

  it('refuses what others signed, what was changed, and what is old', async () => {
    const { sign, deliver, runner, lines, now } = createService()
    const good = sign(notification)
    const changed = (from: string, to: string) => ({
      ...good,
      body: Buffer.from(Buffer.from(good.body).toString().replace(from, to)),
    })
    const hour = 3_600_000
    for (const delivery of [
      sign(notification, otherCertificate),
      changed('world', 'w0rld'),
      changed('"Subject":"My First Message",', ''),
      changed('"SignatureVersion":"1"', '"SignatureVersion":"2"'),
    ]) {
      expect(await deliver(delivery)).toBe(401)
    }
    expect(new Set(reasonsIn(lines))).toEqual(new Set(['signature_mismatch']))
    expect(await deliver(sign(notification, certificate, { now: now - hour }))).toBe(401)
    expect(await deliver(changed('"SignatureVersion":"1"', '"SignatureVersion":"3"'))).toBe(401)
    expect(reasonsIn(lines).slice(-2)).toEqual(['timestamp_out_of_tolerance', 'signature_missing'])
    expect(runner.commands).toHaveLength(0)
  })

  it('refuses messages of other topics, which SNS signs as well', async () => {
    const other = 'arn:aws:sns:us-west-2:999999999999:MyTopic'
    const { sign } = createService({}, other)
    const { deliver, runner, asked } = createService()
    expect(await deliver(sign({ ...notification, TopicArn: other }))).toBe(401)
    const SubscribeURL = `${host}/?Action=ConfirmSubscription&TopicArn=${other}&Token=1`
    expect(await deliver(sign({ ...confirmation, TopicArn: other, SubscribeURL }))).toBe(401)
    expect(asked).toEqual([SigningCertURL])
    expect(runner.commands).toHaveLength(0)
  })

  it.each([
    'http://sns.us-west-2.amazonaws.com/SimpleNotificationService-f3ecfb7224c7233fe7bb5f59f96de52f.pem',
    'https://sns.us-west-2.amazonaws.com.example/SimpleNotificationService-f3ecfb7224c7233fe7bb5f59f96de52f.pem',
    'https://sns.s3-us-west-2.amazonaws.com/SimpleNotificationService-f3ecfb7224c7233fe7bb5f59f96de52f.pem',
    'https://sns.us-west-2.amazonaws.com@example.com/SimpleNotificationService-f3ecfb7224c7233fe7bb5f59f96de52f.pem',
    'https://sns.us-west-2.amazonaws.com:8443/SimpleNotificationService-f3ecfb7224c7233fe7bb5f59f96de52f.pem',
    'https://sns.us-west-2.amazonaws.com/?x=/SimpleNotificationService-f3ecfb7224c7233fe7bb5f59f96de52f.pem',
    'https://example.com/#.amazonaws.com/SimpleNotificationService-f3ecfb7224c7233fe7bb5f59f96de52f.pem',
    'https://169.254.169.254/latest/meta-data/',
    `${SigningCertURL}\n`,
  ])('asks no other site for a certificate: %s', async (SigningCertURL) => {
    const { sign, deliver, asked, lines } = createService({
      [SigningCertURL]: () => new Response(otherCertificate.cert),
    })
    expect(await deliver(sign({ ...notification, SigningCertURL }, otherCertificate))).toBe(401)
    expect(asked).toEqual([])
    expect(reasonsIn(lines)).toEqual(['certificate_not_allowed'])
  })

  it('asks for no certificate unless the rest could be right', async () => {
    const { sign, deliver, asked, now } = createService()
    expect(await deliver(sign(notification, certificate, { now: now - 3_600_000 }))).toBe(401)
    const body = Buffer.from(JSON.stringify({ ...notification, Signature: 'short' }))
    expect(await deliver({ headers: {}, body })).toBe(401)
    expect(asked).toEqual([])
  })

  it.each([
    [
      'a redirection',
      () => new Response(null, { status: 302, headers: { location: 'https://example.com' } }),
    ],
    ['no certificate', () => new Response('<html>')],
    ['an endless answer', () => new Response(' '.repeat(70_000) + certificate.cert)],
    ['an error', () => new Response(certificate.cert, { status: 500 })],
    ['no answer', () => Promise.reject(new Error('refused'))],
  ])('lets the sender repeat a delivery after %s, and tries again then', async (_name, broken) => {
    const answers = [broken, sites[SigningCertURL]]
    const { sign, deliver, asked, lines } = createService({
      [SigningCertURL]: () => answers.shift()?.() ?? Response.error(),
    })
    expect(await deliver(sign(notification))).toBe(503)
    expect(lines.map(({ message }) => message)).toContain(
      'the certificate of a signature could not be fetched',
    )
    expect(JSON.stringify(lines)).not.toContain('.pem')
    expect(await deliver(sign(notification))).toBe(202)
    expect(asked).toHaveLength(2)
  })

  it('waits for a certificate only for some seconds', async () => {
    const { sign, deliver, clock, asked } = createService({
      [SigningCertURL]: () => new Promise<never>(() => {}),
    })
    const delivered = deliver(sign(notification))
    while (asked.length === 0) await new Promise((resolve) => setImmediate(resolve))
    await clock.advance(5_000)
    expect(await delivered).toBe(503)
  })

  it('confirms a subscription of its topic once it is proven, and runs nothing', async () => {
    const { sign, deliver, asked, runner } = createService({
      [SubscribeURL]: () => new Response('<ConfirmSubscriptionResponse/>'),
    })
    expect(await deliver(sign(confirmation, otherCertificate))).toBe(401)
    expect(asked).toEqual([SigningCertURL])
    expect(await deliver(sign(confirmation))).toBe(200)
    expect(asked).toEqual([SigningCertURL, SubscribeURL])
    expect(await deliver(sign({ ...confirmation, Type: 'UnsubscribeConfirmation' }))).toBe(200)
    expect(asked).toHaveLength(2)
    expect(runner.commands).toHaveLength(0)
  })

  it.each([
    'https://example.com/?Action=ConfirmSubscription&TopicArn=x',
    `${host}/?Action=DeleteTopic&TopicArn=${topic}`,
    `${host}/?Action=ConfirmSubscription&TopicArn=${topic}x`,
    `http://sns.us-west-2.amazonaws.com/?Action=ConfirmSubscription&TopicArn=${topic}`,
  ])('confirms nothing at %s', async (SubscribeURL) => {
    const { sign, deliver, asked } = createService()
    expect(await deliver(sign({ ...confirmation, SubscribeURL }))).toBe(403)
    expect(asked).toEqual([SigningCertURL])
  })

  it('lets the sender repeat a confirmation that did not succeed', async () => {
    const { sign, deliver, lines } = createService({
      [SubscribeURL]: () => new Response('', { status: 500 }),
    })
    expect(await deliver(sign(confirmation))).toBe(503)
    expect(lines.map(({ message }) => message)).toContain('a sender could not be confirmed')
    expect(JSON.stringify(lines)).not.toContain('2336412f37')
  })

  it('needs the topic, and has no key in the configuration', () => {
    const problems = (sender: object) =>
      problemsIn({ webhooks: [{ id: 'a', execute_command: 'true', workdir: '', sender }] }).map(
        ({ path, code }) => `${path} ${code}`,
      )
    expect(problems({ name: 'aws-sns' })).toEqual(['webhooks[0].sender.audience required'])
    expect(problems({ name: 'aws-sns', audience: topic, secret: 's' })).toEqual([
      'webhooks[0].sender.secret conflict',
    ])
    expect(problems({ name: 'github', audience: topic, secret: 's' })).toEqual([
      'webhooks[0].sender.audience conflict',
    ])
  })
})
