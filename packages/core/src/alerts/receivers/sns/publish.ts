import { compareBytes } from '@gatehouse/go-template/text'
import type { Notification } from '../../notification/notification.ts'
import { truncate } from '../attempt/truncate.ts'
import type { SnsIntegration } from './config.ts'

/** The largest message, in bytes. */
const maxMessage = 256 * 1_024

/** The largest text message to a phone, in bytes. */
const maxTextMessage = 1_600

/** The most characters of a subject. */
const maxSubject = 99

type Parameters = Readonly<Record<string, string>>

/** The parameters of a request that publishes a notification. @see Amazon SNS API, `Publish` */
export function publishParameters(
  integration: SnsIntegration,
  notification: Notification,
): Parameters {
  const { topic_arn, target_arn, phone_number, subject } = integration
  const topic = notification.text(topic_arn)
  const rendered = notification.text(integration.message)
  const message = cutBytes(rendered, phone_number === '' ? maxMessage : maxTextMessage)
  const attributes = Array.from(integration.attributes, ([name, value]): Attribute => {
    return [notification.text(name), notification.text(value)]
  })
  if (message !== rendered) attributes.push(['truncated', 'true'])
  return {
    Action: 'Publish',
    Version: '2010-03-31',
    ...(topic_arn === '' ? {} : { TopicArn: topic }),
    ...(target_arn === '' ? {} : { TargetArn: notification.text(target_arn) }),
    ...(phone_number === '' ? {} : { PhoneNumber: notification.text(phone_number) }),
    ...(topic.endsWith('.fifo') ? orderOf(notification) : {}),
    ...(subject === '' ? {} : { Subject: truncate(notification.text(subject), maxSubject) }),
    Message: message,
    ...attributeParameters(new Map(attributes)),
  }
}

type Attribute = [name: string, value: string]

/** A FIFO topic needs to know which messages belong together, and which are the same. */
const orderOf = ({ groupHash }: Notification): Parameters => ({
  MessageDeduplicationId: groupHash,
  MessageGroupId: groupHash,
})

function attributeParameters(attributes: ReadonlyMap<string, string>): Parameters {
  const sorted = [...attributes].sort(([a], [b]) => compareBytes(a, b))
  const parameters = sorted.flatMap(([name, value], index): Attribute[] => {
    const entry = `MessageAttributes.entry.${index + 1}`
    return [
      [`${entry}.Name`, name],
      [`${entry}.Value.DataType`, 'String'],
      [`${entry}.Value.StringValue`, value],
    ]
  })
  return Object.fromEntries(parameters)
}

/** The beginning of a text, at most `limit` bytes of UTF-8, cut between two characters. */
function cutBytes(text: string, limit: number): string {
  const bytes = new TextEncoder().encode(text)
  if (bytes.length <= limit) return text
  // With `stream`, an incomplete character at the end stays in the decoder.
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  return decoder.decode(bytes.subarray(0, limit), { stream: true })
}
