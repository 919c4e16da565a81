import { goQuote } from '../../../go/quote.ts'
import type { OutgoingAnswer } from '../../http-client/send-request.ts'
import { answerMembers } from '../attempt/answer-members.ts'
import type { NotifyResult } from '../notifier.ts'

/** Errors after which a message cannot be changed any more, but a new one can be posted. @see Slack API, `chat.update` */
const goneErrors: readonly unknown[] = [
  'message_not_found',
  'cant_update_message',
  'edit_window_closed',
]

/** Whether an update was refused because its message is gone, or too old to be changed. */
export const isMessageGone = (answer: OutgoingAnswer): boolean =>
  goneErrors.includes(answerMembers(answer)?.error)

/** Options of {@link judgeSlackAnswer}. */
interface JudgeOptions {
  /** Where the message was to go. */
  channel: string
  /** Whether the message is to be changed later. */
  keeps: boolean
  detailsOf: (answer: OutgoingAnswer) => string
}

/** What an answer with a status of success comes to: a webhook says `ok`, the API says it in an object. */
export function judgeSlackAnswer(answer: OutgoingAnswer, options: JudgeOptions): NotifyResult {
  const members = answerMembers(answer)
  const isTaken = members === undefined ? answer.body === 'ok' : members.ok === true
  if (isTaken) return { outcome: 'sent', ...(options.keeps ? { keep: messageKeys(members) } : {}) }
  const isUnreadable =
    members === undefined && answer.headers.get('content-type')?.startsWith('application/json')
  const body = members === undefined ? answer.body : String(members.error)
  const why = isUnreadable ? 'its answer cannot be read' : options.detailsOf({ ...answer, body })
  return {
    outcome: isUnreadable ? 'retry' : 'failed',
    reason: 'clientError',
    detail: `Slack did not take the message to channel ${goQuote(options.channel)}: ${why}`,
  }
}

/** By what a message is found again. Empty where the answer does not name it, as that of a webhook. */
function messageKeys(
  members: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, string>> {
  const { ts: threadTs, channel: channelId } = members
  if (typeof threadTs !== 'string' || typeof channelId !== 'string') return {}
  return { threadTs, channelId }
}
