import type { RouteAction } from '../../authorization/action.ts'
import type { Answer } from '../../http/answer.ts'
import type { Denial } from '../access/denial.ts'
import { webhookError } from '../errors.ts'
import type { Exchange } from './exchange.ts'
import type { FramedRow } from './request-frame.ts'

type Operation = (exchange: Exchange) => Promise<Answer | Denial>

/** A path with its operations by method. */
export interface Resource {
  /** Below the base path. */
  readonly path: string
  /** Whether refusals of a token say how to send one, in `WWW-Authenticate` (default false). */
  readonly asksForToken?: boolean
  readonly operations: Readonly<Record<string, Endpoint>>
}

/** One method of a path. */
interface Endpoint extends Pick<FramedRow, 'action' | 'checksCaller'> {
  readonly operation: Operation
}

/** An operation for senders that may do this. */
export const requires = (action: RouteAction, operation: Operation): Endpoint => ({
  action,
  operation,
})

/** An operation that checks its sender itself: a token admits as well. */
export const checks = (action: RouteAction, operation: Operation): Endpoint => ({
  action,
  operation,
  checksCaller: true,
})

/** The rows of a resource: with and without a trailing slash, `HEAD` for every `GET`, and 405 for other methods unless it has `*`. */
export function resourceRows(basePath: string, resource: Resource): FramedRow[] {
  const { path, asksForToken = false, operations } = resource
  const answers = Object.entries(operations).flatMap(([method, endpoint]): [string, Endpoint][] =>
    method === 'GET'
      ? [
          [method, endpoint],
          ['HEAD', endpoint],
        ]
      : [[method, endpoint]],
  )
  const allow = answers.map(([method]) => method).join(', ')
  const otherMethod = requires('public', async ({ request }) => {
    const message = `${request.method} is not allowed here, use ${allow}`
    throw webhookError('method_not_allowed', message, { allow })
  })
  const rest = '*' in operations ? [] : [['*', otherMethod] as const]
  return [...answers, ...rest].flatMap(([method, { operation, ...needs }]) =>
    [`${basePath}${path}`, `${basePath}${path}/`].map((full): FramedRow => {
      return { ...needs, method, path: full, asksForToken, answer: operation }
    }),
  )
}
