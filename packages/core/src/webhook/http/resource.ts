import type { RouteAction } from '../../authorization/action.ts'
import type { Answer } from '../../http/answer.ts'
import type { PathEndpoints } from '../../http/api/place.ts'
import type { Denial } from '../access/denial.ts'
import { webhookError } from '../errors.ts'
import type { WebhookOperation } from '../wire/operations.ts'
import type { Exchange } from './exchange.ts'
import type { FramedRow } from './request-frame.ts'

type Operation = (exchange: Exchange) => Promise<Answer | Denial>

/** How one operation is answered. */
export interface Endpoint extends Pick<FramedRow, 'action' | 'checksCaller' | 'asksForToken'> {
  readonly operation: Operation
  /** Whether it answers the methods that the path has no operation for (default: they are refused with 405). */
  readonly takesAnyMethod?: true
}

/** The endpoints of operations; `undefined` for one that is switched off: its path may be another's. */
export type Endpoints<Id extends WebhookOperation> = Readonly<Record<Id, Endpoint | undefined>>

/** An operation for senders that may do this. */
export const requires = (action: RouteAction, operation: Operation): Endpoint => ({
  action,
  operation,
})

/** An operation that checks its sender itself: a token admits as well, and refusals ask for one. */
export const checks = (action: RouteAction, operation: Operation): Endpoint => ({
  action,
  operation,
  checksCaller: true,
  asksForToken: true,
})

/** The rows of a path: with and without a trailing slash, `HEAD` for every `GET`, and an answer to other methods. */
export function pathRows(
  basePath: string,
  { path, endpoints }: PathEndpoints<Endpoint>,
): FramedRow[] {
  const answers = Object.entries(endpoints).flatMap(([method, endpoint]): [string, Endpoint][] =>
    method === 'GET'
      ? [
          [method, endpoint],
          ['HEAD', endpoint],
        ]
      : [[method, endpoint]],
  )
  const allow = answers.map(([method]) => method).join(', ')
  const refusing = requires('public', async ({ request }) => {
    const message = `${request.method} is not allowed here, use ${allow}`
    throw webhookError('method_not_allowed', message, { allow })
  })
  const others = Object.values(endpoints).find((one) => one.takesAnyMethod) ?? refusing
  return [...answers, ['*', others] as const].flatMap(([method, endpoint]) => {
    const { operation, takesAnyMethod: _all, ...needs } = endpoint
    return [`${basePath}${path}`, `${basePath}${path}/`].map(
      (full): FramedRow => ({ ...needs, method, path: full, answer: operation }),
    )
  })
}
