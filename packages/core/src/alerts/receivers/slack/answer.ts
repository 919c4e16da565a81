import { goQuote } from '@gatehouse/go-template/text'
import type { OutgoingAnswer } from '../../../http-client/send-request.ts'
import { answerMembers } from '../attempt/answer-members.ts'
import type { NotifyResult } from '../notifier.ts'

/** Errors after which a message cannot be updated any more, but a new one can be posted. @see Slack API, `chat.update` */
const goneErrors: readonly unknown[] = [
  'message_not_found',
  'cant_update_message',
  'edit_window_closed',
]

/** Whether an update was refused because its message is gone or too old. */
export const isMessageGone = (answer: OutgoingAnswer): boolean =>
  goneErrors.includes(answerMembers(answer)?.error)

/** Options of {@link judgeSlackAnswer}. */
interface JudgeOptions {
  /** The target channel. */
  channel: string
  /** Whether the message will be updated later. */
  keeps: boolean
  detailsOf: (answer: OutgoingAnswer) => string
}

/** The result of a response with a success status: a webhook returns `ok`, the API an object. */
export function judgeSlackAnswer(answer: OutgoingAnswer, options: JudgeOptions): NotifyResult {
  const members = answerMembers(answer)
  const isTaken = members === undefined ? answer.body === 'ok' : members.ok === true
  if (isTaken) return { outcome: 'sent', ...(options.keeps ? { keep: messageKeys(members) } : {}) }
  const isUnreadable =
    members === undefined && answer.headers.get('content-type')?.startsWith('application/json')
  const body = members === undefined ? answer.body : String(members.error)
  const why = isUnreadable ? 'its response cannot be read' : options.detailsOf({ ...answer, body })
  return {
    outcome: isUnreadable ? 'retry' : 'failed',
    reason: 'clientError',
    detail: `Slack did not accept the message to channel ${goQuote(options.channel)}: ${why}`,
  }
}

/** The keys that identify a message. Empty if the response has none, as from a webhook. */
function messageKeys(
  members: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, string>> {
  const { ts: threadTs, channel: channelId } = members
  if (typeof threadTs !== 'string' || typeof channelId !== 'string') return {}
  return { threadTs, channelId }
}
