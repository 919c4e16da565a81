import type { Answer } from '../../http/answer.ts'
import type { Denial } from '../access/denial.ts'
import { webhookError } from '../errors.ts'
import type { Exchange } from './exchange.ts'
import type { FramedRow } from './request-frame.ts'

type Operation = (exchange: Exchange) => Promise<Answer | Denial>

/** A path with its operations by method. */
export interface Resource {
  /** Below the prefix. */
  readonly path: string
  /** Whether refusals of a token say how to send one, in `WWW-Authenticate` (default false). */
  readonly asksForToken?: boolean
  readonly operations: Readonly<Record<string, Operation>>
}

/** The rows of a resource: with and without a trailing slash, `HEAD` for every `GET`, and 405 for other methods. */
export function resourceRows(prefix: string, resource: Resource): FramedRow[] {
  const { path, asksForToken = false, operations } = resource
  const answers = Object.entries(operations).flatMap(([method, answer]): [string, Operation][] =>
    method === 'GET'
      ? [
          [method, answer],
          ['HEAD', answer],
        ]
      : [[method, answer]],
  )
  const allow = answers.map(([method]) => method).join(', ')
  const otherMethod: Operation = async ({ request }) => {
    const message = `${request.method} is not allowed here, use ${allow}`
    throw webhookError('method_not_allowed', message, { allow })
  }
  return [...answers, ['*', otherMethod] as const].flatMap(([method, answer]) =>
    [`${prefix}${path}`, `${prefix}${path}/`].map((full): FramedRow => {
      return { method, path: full, asksForToken, answer }
    }),
  )
}
