import { GatehouseError } from '../../../errors.ts'
import type { OutgoingAnswer } from '../../../http-client/send-request.ts'
import { detailsWithout } from '../../../http-client/without-secrets.ts'
import type { Notification } from '../../notification/notification.ts'
import { answerMembers } from '../attempt/answer-members.ts'
import { apiUrl } from '../attempt/api-url.ts'
import { attempt, jsonPost } from '../attempt/attempt.ts'
import { jsonBody, unlessEmpty } from '../attempt/json-body.ts'
import { secretOf } from '../attempt/secret-of.ts'
import { truncate } from '../attempt/truncate.ts'
import type { ReceiverKind } from '../kind.ts'
import type { NotifierPorts, NotifyResult } from '../notifier.ts'
import { type TelegramIntegration, telegramConfig } from './config.ts'
import type { AlertmanagerTelegramConfig } from './written.ts'

/** The most characters of a message. @see Telegram Bot API, `sendMessage` */
const maxMessage = 4_096

/** Sent instead of HTML that is too long: truncated HTML might end within a tag and be refused. */
const tooLong =
  'Alertmanager notification could not be sent: message length exceeds Telegram limits.\n' +
  '\t\t\tPlease check the template used for producing the message content.'

/** Sends messages with a Telegram bot. Every failure is retried. @see Telegram Bot API, `sendMessage` */
export const telegram: ReceiverKind<TelegramIntegration, AlertmanagerTelegramConfig> = {
  ...telegramConfig,
  create: (integration, ports) => ({
    name: 'telegram',
    async notify(notification, signal) {
      const text = messageText(integration, notification)
      const { bot_token, bot_token_file, api_url, http_config: http } = integration
      const token = await secretOf(ports, bot_token, bot_token_file)
      const body = jsonBody(message(integration, await chatOf(integration, ports), text))
      const request = jsonPost(apiUrl(api_url, { path: `bot${token}/sendMessage` }), body)
      const detailsOf = describe(token)
      const accept = (answer: OutgoingAnswer): NotifyResult => judge(answer, detailsOf)
      const result = await attempt(ports, request, { http, signal, accept, detailsOf })
      return result.outcome === 'failed' ? { ...result, outcome: 'retry' } : result
    },
  }),
}

function messageText(
  { message, parse_mode }: TelegramIntegration,
  notification: Notification,
): string {
  if (parse_mode !== 'HTML') return truncate(notification.text(message), maxMessage)
  const html = notification.html(message)
  return Array.from(html).length > maxMessage ? tooLong : html
}

/** The parameters of `sendMessage`. All of them are texts, as in a form. */
function message(integration: TelegramIntegration, chat_id: string, text: string): object {
  const { disable_notifications, message_thread_id, parse_mode } = integration
  return {
    chat_id,
    disable_notification: disable_notifications ? 'true' : undefined,
    disable_web_page_preview: 'true',
    message_thread_id: message_thread_id === 0 ? undefined : String(message_thread_id),
    parse_mode: unlessEmpty(parse_mode),
    text,
  }
}

/** @throws {GatehouseError} `InvalidChatId` if the file does not contain a 64-bit integer. */
async function chatOf(
  { chat_id, chat_id_file }: TelegramIntegration,
  { readFile }: NotifierPorts,
): Promise<string> {
  if (chat_id_file === '') return String(chat_id)
  const written = (await readFile(chat_id_file)).trim()
  const id = /^[+-]?\d{1,19}$/.test(written) ? BigInt(written.replace(/^\+/, '')) : undefined
  if (id !== undefined && id === BigInt.asIntN(64, id)) return String(id)
  throw new GatehouseError(
    'Invalid',
    'InvalidChatId',
    'the content of chat_id_file is not a 64-bit integer',
  )
}

/** The error, in the words of the API if possible. */
function describe(token: string): (answer: OutgoingAnswer) => string {
  return (answer) => {
    const description = answerMembers(answer)?.description
    const body = typeof description === 'string' ? description : answer.body
    return detailsWithout([token])({ ...answer, body })
  }
}

function judge(
  answer: OutgoingAnswer,
  detailsOf: (answer: OutgoingAnswer) => string,
): NotifyResult {
  if (answerMembers(answer)?.ok === true) return { outcome: 'sent' }
  const detail = `Telegram did not accept the message: ${detailsOf(answer)}`
  return { outcome: 'retry', reason: 'other', detail }
}
