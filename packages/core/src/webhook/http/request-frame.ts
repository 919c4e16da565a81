import type { Access } from '../../authorization/access.ts'
import type { RouteAction } from '../../authorization/action.ts'
import { isGatehouseError } from '../../errors.ts'
import type { Answer } from '../../http/answer.ts'
import { noticeClient } from '../../http/loopback.ts'
import type { RequestInfo, Route, RouteRequest } from '../../http/route.ts'
import { Denial } from '../access/denial.ts'
import { findWebhook, shownPath } from '../access/find-webhook.ts'
import type { WebhooksContext } from '../context.ts'
import { reportRejection } from '../delivery/report-rejection.ts'
import { logText } from '../log-text.ts'
import { refusalAnswer, toRefusal, withOwnCode } from './error-response.ts'
import type { Exchange } from './exchange.ts'
import { ownHeaders } from './run-answer.ts'

/** A row without the parts that every answer has. */
export interface FramedRow {
  readonly method: string
  readonly path: string
  /** Whether refusals of a token say how to send one, in `WWW-Authenticate` (default false). */
  readonly asksForToken?: boolean
  readonly action: RouteAction
  /** Whether the operation checks the sender, because a token admits as well (default false: the frame does). */
  readonly checksCaller?: boolean
  /** Which paths it has at the moment (default: those of `path`). */
  readonly serves?: Route['serves']
  answer(exchange: Exchange): Promise<Answer | Denial>
}

const requestIdPattern = /^[A-Za-z0-9._-]{1,64}$/

/** Clients control the path; the log shows only the beginning of a longer one. */
const maxPathLength = 200

/** Adds to rows what every answer has: a request id, headers, errors in the format of this API, and a log line. */
export function createRequestFrame(webhooks: WebhooksContext): (row: FramedRow) => Route {
  const { access, clock, config, counters, exposure, ids, logger } = webhooks

  function open(request: RouteRequest, info: RequestInfo): Exchange {
    if (!info.secure) noticeClient(exposure, info)
    const given = request.headers.get('x-request-id') ?? ''
    return {
      request,
      info,
      requestId: requestIdPattern.test(given) ? given : ids.random(),
      clientAddress: info.peer?.address,
      about: {},
    }
  }

  function refused(thrown: unknown, row: FramedRow, exchange: Exchange): Answer {
    const error = withOwnCode(thrown)
    const { requestId, clientAddress, about } = exchange
    const refusal = toRefusal(error)
    const { source, argument, variable } = isGatehouseError(error) ? error.info : {}
    about.refusal = { code: refusal.code, source, argument, variable }
    const request = { id: about.webhook, request_id: requestId, client_ip: clientAddress ?? null }
    reportRejection(webhooks, error, request)
    if (refusal.code === 'internal_error') {
      logger.error(
        { err: error, request_id: requestId, webhook: about.webhook },
        'a request failed',
      )
    }
    return asking(row, refusalAnswer(refusal, requestId), exchange)
  }

  /** Adds `WWW-Authenticate` to a refusal of the token, if the row asks for it. */
  function asking(
    { asksForToken, action, checksCaller }: FramedRow,
    answer: Answer,
    { about: { webhook: id } }: Exchange,
  ): Answer {
    const asks = asksForToken === true || (action !== 'public' && checksCaller !== true)
    if (answer.status !== 401 || !asks) return answer
    const webhook = id === undefined ? undefined : findWebhook(config.current, id)
    const takesPassword = webhook?.token_in?.kind === 'basic' && !config.current.hide_ids
    const challenge = takesPassword ? 'Basic realm="webhook", charset="UTF-8"' : 'Bearer'
    return { ...answer, headers: { ...answer.headers, 'www-authenticate': challenge } }
  }

  /** The answer to a subject without a valid token that may not do this; `undefined` if it may, but not from this page. */
  async function denied(
    access: Access,
    row: FramedRow,
    exchange: Exchange,
  ): Promise<Answer | undefined> {
    if (row.action === 'public') return undefined
    const { webhook: id } = exchange.about
    const resource = id === undefined ? undefined : ({ kind: 'webhook', id } as const)
    return access.check(exchange.info, row.action, resource).then(
      () => undefined,
      (error: unknown) => refused(error, row, exchange),
    )
  }

  function report(exchange: Exchange, { status }: Answer, startedAt: number): void {
    const { request, info, requestId, clientAddress, about } = exchange
    counters.requestAnswered(status)
    const { run, state, refusal } = about
    const ofRun = run && { run_id: run.run_id, state: run.status, exit_code: run.exit_code }
    const ofSkipped = state && { state }
    const fields = {
      request_id: requestId,
      method: request.method,
      path: logText(shownPath(config.current, info.path).slice(0, maxPathLength)),
      status,
      duration_ms: clock.now() - startedAt,
      client: clientAddress,
      webhook: about.webhook,
      ...ofRun,
      ...ofSkipped,
      ...refusal,
    }
    logger.info(fields, 'request')
  }

  /** Adds the headers of the webhook, unless they would show that a hidden one exists. */
  function withHeadersOf({ about }: Exchange, answer: Answer): Answer {
    const { webhook: id } = about
    const webhook = id === undefined ? undefined : findWebhook(config.current, id)
    const isHidden = config.current.hide_ids && answer.status === 401
    if (webhook === undefined || isHidden) return answer
    return { ...answer, headers: { ...answer.headers, ...ownHeaders(webhook) } }
  }

  return (row) => ({
    method: row.method,
    path: row.path,
    action: row.action,
    ...(row.serves === undefined ? {} : { serves: row.serves }),
    async answer(request, info) {
      const startedAt = clock.now()
      const exchange = open(request, info)
      let outcome: Answer | Denial
      try {
        if (access !== undefined && row.action !== 'public' && row.checksCaller !== true)
          await access.check(info, row.action)
        outcome = await row.answer(exchange)
      } catch (error) {
        outcome = refused(error, row, exchange)
      }
      if (outcome instanceof Denial) exchange.about.refusal = { code: outcome.code }
      let answer =
        outcome instanceof Denial
          ? asking(row, refusalAnswer(outcome, exchange.requestId), exchange)
          : outcome
      if (answer.status === 401 && access !== undefined && info.subject !== undefined)
        answer = (await denied(access, row, exchange)) ?? answer
      report(exchange, answer, startedAt)
      if (row.action === 'webhooks:run') answer = withHeadersOf(exchange, answer)
      return framedAnswer(request.method, answer, exchange.requestId)
    },
  })
}

/** Adds the common headers. An answer to HEAD has the headers of GET, and no body. */
function framedAnswer(
  method: string,
  { status, headers: own, body, byteLength }: Answer,
  requestId: string,
): Answer {
  const headers = {
    'x-request-id': requestId,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...own,
  }
  if (method !== 'HEAD') return { status, headers, body, byteLength }
  // The body was not read, so canceling it cannot fail.
  if (body instanceof ReadableStream) void body.cancel()
  return { status, headers, body: null, byteLength }
}
