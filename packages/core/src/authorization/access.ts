import { GatehouseError, withoutStack } from '../errors.ts'
import { type Decode, functionLike, optional } from '../input/decode.ts'
import type { Logger } from '../logger.ts'
import { declareMetrics } from '../metrics/declare-metrics.ts'
import type { MetricsRegistry } from '../metrics/metrics.ts'
import type { Action } from './action.ts'
import type { Authorize, Caller, Resource } from './authorize.ts'

/** Asks `authorize` for one service, and reports what it refuses. */
export interface Access {
  /**
   * Checks that a caller may do something.
   *
   * @throws {GatehouseError} `NotAuthenticated` if the caller is unknown; `NotAllowed`.
   */
  check(caller: Caller, action: Action, resource?: Resource): Promise<void>
  /** Whether a caller may do something. Reports nothing. */
  allows(caller: Caller, action: Action, resource?: Resource): Promise<boolean>
}

/** Options of {@link createAccess}. */
export interface AccessOptions {
  /** The service, for the name of the metric. */
  readonly service: 'alerts' | 'auth' | 'webhook'
  readonly authorize: Authorize | undefined
  readonly metrics: MetricsRegistry
  readonly logger: Logger
}

/** The option `authorize` of a service. */
export const authorizeInput: Decode<Authorize | undefined> = optional(
  functionLike<Authorize>('a function that decides whether a subject may do something'),
)

/** The sender of a request is unknown. */
export const notAuthenticated = (action?: Action): GatehouseError =>
  withoutStack(
    () =>
      new GatehouseError('Unauthorized', 'NotAuthenticated', 'sign in first', {
        info: action === undefined ? {} : { action },
      }),
  )

const notAllowed = (action: Action): GatehouseError =>
  withoutStack(
    () =>
      new GatehouseError('Forbidden', 'NotAllowed', `you are not allowed to do this: ${action}`, {
        info: { action },
      }),
  )

/** `undefined` without an `authorize`: any sender may do everything. */
export function createAccess({
  service,
  authorize,
  metrics,
  logger,
}: AccessOptions): Access | undefined {
  if (authorize === undefined) return undefined
  const { refused } = declareMetrics(metrics, {
    refused: {
      type: 'counter',
      name: `gatehouse_${service}_refused_requests_total`,
      help: 'Requests that were refused because their sender is unknown or not allowed to do something.',
      labels: ['action', 'reason'],
    },
  })
  const allows: Access['allows'] = async ({ subject }, action, resource) =>
    // Nothing else counts as a yes, such as an object that was returned by mistake.
    (await authorize(subject, action, resource)) === true
  return {
    allows,
    async check(caller, action, resource) {
      if (await allows(caller, action, resource)) return
      const { subject } = caller
      const reason = subject === undefined ? 'not_authenticated' : 'not_allowed'
      refused.add(1, { action, reason })
      const what = resource === undefined ? {} : { resource: resource.kind, id: resource.id }
      const who = { subject: subject?.id, kind: subject?.kind }
      logger.info({ action, reason, ...who, ...what }, 'a request was refused')
      throw subject === undefined ? notAuthenticated(action) : notAllowed(action)
    },
  }
}
