import type { Action } from '../../authorization/action.ts'
import { foreignOrigin, isReading } from '../../http/cross-origin.ts'
import type { WebhooksContext } from '../context.ts'
import type { Exchange } from './exchange.ts'

/** Whether a request has a subject that `authorize` could admit without a token. */
export const hasSubject = ({ access }: WebhooksContext, { info }: Exchange): boolean =>
  access !== undefined && info.subject !== undefined

/**
 * Whether the subject of a request may do this without a token.
 *
 * @param id the webhook (default: all webhooks).
 */
export async function subjectMay(
  { access }: WebhooksContext,
  { request, info }: Exchange,
  action: Action,
  id?: string,
): Promise<boolean> {
  if (access === undefined || info.subject === undefined) return false
  // Browsers send passwords, cookies and certificates with the requests of any page. A token is proof that the page knows it.
  if (!isReading(request.method) && foreignOrigin(request) !== undefined) return false
  return access.allows(info, action, id === undefined ? undefined : { kind: 'webhook', id })
}
