import type { OutgoingAnswer, OutgoingRequest } from '../../../http-client/send-request.ts'
import type { NotifierPorts, NotifyResult } from '../notifier.ts'
import { type AttemptOptions, attempt } from './attempt.ts'

/** Why a notification is not sent. */
export type Failure = Exclude<NotifyResult, { readonly outcome: 'sent' }>

/** Sends a request that is not the last of its notification. Returns the response, or why the notification fails. */
export async function requestAnswer(
  ports: NotifierPorts,
  request: OutgoingRequest,
  options: Omit<AttemptOptions, 'accept'>,
): Promise<{ readonly answer: OutgoingAnswer } | { readonly failure: Failure }> {
  let accepted: OutgoingAnswer | undefined
  const accept = (answer: OutgoingAnswer): NotifyResult => {
    accepted = answer
    return { outcome: 'sent' }
  }
  const result = await attempt(ports, request, { ...options, accept })
  if (result.outcome !== 'sent') return { failure: result }
  if (accepted === undefined)
    throw new TypeError('a request was sent, but its response was not checked')
  return { answer: accepted }
}

/** A failure that another attempt would repeat. */
export const refusal = (detail: string): Failure => ({ outcome: 'failed', reason: 'other', detail })
