import { systemIds } from '../../../crypto/ids.ts'
import { GatehouseError, isGatehouseError } from '../../../errors.ts'
import type { Instant } from '../../../time/clock.ts'
import type { Notification } from '../../notification/notification.ts'
import type { NotifierPorts } from '../notifier.ts'
import { type EmailIntegration, type EmailThreading, threadHeaders } from './config.ts'
import { parseMailAddresses } from './mail-address.ts'
import { formatHeaders, type MailContent, type MailPart, mailMessage } from './mail-message.ts'
import type { OutgoingMail } from './smtp-session.ts'

type Header = readonly [name: string, value: string]

/** An email as it is sent, with its content. */
export interface ComposedMail extends OutgoingMail {
  readonly content: MailContent
}

/**
 * Composes the email for a notification.
 *
 * @throws {GatehouseError} `TemplateSyntax`, `TemplateExecution`; `InvalidAddress` if `to` or `from` renders to invalid
 * addresses, or `from` to several.
 */
export function composeMail(
  integration: EmailIntegration,
  notification: Notification,
  { clock, ids = systemIds, hostname = 'localhost.localdomain' }: NotifierPorts,
): ComposedMail {
  const { headers, threading } = integration
  const date = clock.now()
  const missing = defaultHeaders(integration).filter(([name]) => !headers.has(name))
  const configured = [...headers].filter(([name]) => !formatHeaders.has(name))
  const written = [...configured, ...missing]
  const rendered = written.map(([name, value]): Header => [name, notification.text(value)])
  const messageId = `<${date}000000.${randomDigits(ids.random())}@${hostname}>`
  const content: MailContent = {
    headers: [
      ...rendered,
      ...(headers.has('Message-Id') ? [] : [['Message-Id', messageId] as const]),
      ...threadOf(threading, notification, date),
    ],
    date,
    parts: partsOf(integration, notification),
    boundary: ids.random().replaceAll('-', ''),
  }
  const message = mailMessage(content)
  const to = addressesOf('to', notification.text(integration.to))
  return { from: senderOf(notification.text(integration.from)), to, message, content }
}

const defaultHeaders = ({ to, from }: EmailIntegration): readonly Header[] => [
  ['Subject', '{{ template "email.default.subject" . }}'],
  ['To', to],
  ['From', from],
]

/** 64 bits of a UUID as a decimal number. */
const randomDigits = (uuid: string): string =>
  String(BigInt(`0x${uuid.replaceAll('-', '').slice(-16)}`))

/** All emails of a group reply to the same email, which was never sent, so that mail programs show them together. */
function threadOf(
  { enabled, thread_by_date }: EmailThreading,
  { groupHash }: Notification,
  date: Instant,
): readonly Header[] {
  if (!enabled) return []
  const day = thread_by_date === 'daily' ? new Date(date).toISOString().slice(0, 10) : ''
  const root = `<alert-${groupHash.slice(0, 16)}-${day}@alertmanager>`
  return threadHeaders.map((name) => [name, root])
}

function partsOf({ text, html }: EmailIntegration, notification: Notification): MailPart[] {
  const parts: MailPart[] = []
  if (text !== '') parts.push({ type: 'text/plain', text: notification.text(text) })
  if (html !== '') parts.push({ type: 'text/html', text: notification.html(html) })
  return parts
}

function senderOf(rendered: string): string {
  const [sender, ...others] = addressesOf('from', rendered)
  if (sender !== undefined && others.length === 0) return sender
  const message = `must be exactly one 'from' address (got: ${others.length + 1})`
  throw new GatehouseError('Invalid', 'InvalidAddress', message)
}

function addressesOf(key: 'from' | 'to', rendered: string): readonly string[] {
  try {
    return parseMailAddresses(rendered).map(({ address }) => address)
  } catch (cause) {
    if (!isGatehouseError(cause)) throw cause
    const message = `parse '${key}' addresses: ${cause.message}`
    throw new GatehouseError('Invalid', 'InvalidAddress', message, { cause })
  }
}
