import type { Sender, SignatureFormat } from '../../webhook.ts'
import { defineSender } from '../define-sender.ts'

/** A region of AWS. Names of buckets, such as in `sns.s3-us-west-2.amazonaws.com`, are none. */
const certificates =
  /^https:\/\/sns\.[a-z]{2}(?:-[a-z]{2,12}){1,3}-\d{1,2}\.amazonaws\.com(?:\.cn)?\/SimpleNotificationService-[\da-f]{32}\.pem$/
const confirmations =
  /^https:\/\/sns\.[a-z]{2}(?:-[a-z]{2,12}){1,3}-\d{1,2}\.amazonaws\.com(?:\.cn)?\/\?(?<query>[\w=&%:.*-]{1,2048})$/

/** The signed members of each type, in their order. Each name and value stands on a line. */
const members = {
  Notification: ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'],
  SubscriptionConfirmation: [
    'Message',
    'MessageId',
    'SubscribeURL',
    'Timestamp',
    'Token',
    'TopicArn',
    'Type',
  ],
} as const

/** The topic is that of the configuration, so that a signature for another one does not fit. */
const ownText: Readonly<Record<string, string>> = {
  Timestamp: '{timestamp}',
  TopicArn: '{audience}',
}

function formatOf(type: string, names: readonly string[], version: '1' | '2'): SignatureFormat {
  const lines = names.map((name) => `${name}\n${ownText[name] ?? `{data.${name}}`}\n`)
  return {
    algorithm: version === '1' ? 'rsa-sha1' : 'rsa-sha256',
    signature: { field: 'data.Signature' },
    encoding: 'base64',
    signed: lines.join(''),
    timestamp: { field: 'data.Timestamp', unit: 'iso' },
    when: [
      { field: 'data.Type', is: type },
      { field: 'data.SignatureVersion', is: version },
    ],
    certificate: { url: { field: 'data.SigningCertURL' }, allowed: certificates },
  }
}

const versions = ['2', '1'] as const

/**
 * Amazon SNS. All customers can have topics, whose messages SNS signs in the same way: a signature proves a sender only together
 * with the topic.
 *
 * @see https://docs.aws.amazon.com/sns/latest/dg/sns-verify-signature-of-message.html
 * @see https://docs.aws.amazon.com/sns/latest/dg/http-subscription-confirmation-json.html
 */
export const awsSns: Sender = defineSender({
  name: 'aws-sns',
  signatures: versions.flatMap((version) => [
    formatOf('Notification', members.Notification, version),
    formatOf(
      'Notification',
      members.Notification.filter((name) => name !== 'Subject'),
      version,
    ),
    ...['SubscriptionConfirmation', 'UnsubscribeConfirmation'].map((type) =>
      formatOf(type, members.SubscriptionConfirmation, version),
    ),
  ]),
  // It sends JSON as text/plain, and up to 256 KiB of text, whose escapes may take more.
  settings: { accept: ['text', 'json'], mode: 'async' },
  dedupe: 'data.MessageId',
  handshake({ value, audience }) {
    const type = value('data.Type')
    if (type === 'UnsubscribeConfirmation') return { status: 200 }
    if (type !== 'SubscriptionConfirmation') return undefined
    const visit = value('data.SubscribeURL') ?? ''
    const query = new URLSearchParams(confirmations.exec(visit)?.groups?.query)
    const isOwn =
      query.get('TopicArn') === audience && query.get('Action') === 'ConfirmSubscription'
    return isOwn && audience !== undefined ? { status: 200, visit } : { status: 403 }
  },
})
