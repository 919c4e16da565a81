import { isGatehouseError } from '../../errors.ts'
import type { Answer } from '../../http/answer.ts'
import { createFrame, type Row } from '../../http/frame.ts'
import { noticeClient } from '../../http/loopback.ts'
import type { RequestInfo, Route, RouteRequest } from '../../http/route.ts'
import { Denial } from '../access/denial.ts'
import { findWebhook, shownPath } from '../access/find-webhook.ts'
import type { WebhooksContext } from '../context.ts'
import { reportRejection } from '../delivery/report-rejection.ts'
import { logText } from '../log-text.ts'
import { refusalAnswer, toRefusal } from './error-response.ts'
import type { Exchange } from './exchange.ts'
import { ownHeaders } from './run-answer.ts'

/** A row without the parts that every answer has. */
export interface FramedRow extends Row<Exchange, Answer | Denial> {
  /** Whether refusals of a token say how to send one, in `WWW-Authenticate` (default false). */
  readonly asksForToken?: boolean
  /** Whether the operation checks the sender, because a token admits as well (default false: the frame does). */
  readonly checksCaller?: boolean
}

const requestIdPattern = /^[A-Za-z0-9._-]{1,64}$/

/** Clients control the path; the log shows only the beginning of a longer one. */
const maxPathLength = 200

/** Adds to rows what every answer has: a request id, headers, errors in the format of this API, and a log line. */
export function createRequestFrame(webhooks: WebhooksContext): (row: FramedRow) => Route {
  const { access } = webhooks
  return createFrame<FramedRow, Exchange, Answer | Denial, Answer>({
    open: (request, info) => open(webhooks, request, info),
    check: ({ action, checksCaller }, { info }) =>
      action === 'public' || checksCaller === true ? undefined : access?.check(info, action),
    refuse: (error, row, exchange) => refused(webhooks, error, row, exchange),
    settle: (outcome, row, exchange) => settled(webhooks, outcome, row, exchange),
    report: (answer, _row, exchange) => report(webhooks, exchange, answer),
    complete: (answer, { action }, exchange) => {
      const ofWebhook = action === 'webhooks:run' ? headersOf(webhooks, exchange, answer) : {}
      const headers = {
        'x-request-id': exchange.requestId,
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        ...answer.headers,
        ...ofWebhook,
      }
      return { ...answer, headers }
    },
  })
}

function open(
  { exposure, ids, clock }: WebhooksContext,
  request: RouteRequest,
  info: RequestInfo,
): Exchange {
  const startedAt = clock.now()
  if (!info.secure) noticeClient(exposure, info)
  const given = request.headers.get('x-request-id') ?? ''
  return {
    request,
    info,
    startedAt,
    requestId: requestIdPattern.test(given) ? given : ids.random(),
    clientAddress: info.peer?.address,
    about: {},
  }
}

function refused(
  webhooks: WebhooksContext,
  error: unknown,
  row: FramedRow,
  exchange: Exchange,
): Answer {
  const { requestId, clientAddress, about } = exchange
  const refusal = toRefusal(error)
  const { source, argument, variable } = isGatehouseError(error) ? error.info : {}
  about.refusal = { code: refusal.code, source, argument, variable }
  const request = {
    webhook_id: about.webhook,
    request_id: requestId,
    client_ip: clientAddress ?? null,
  }
  const work = row.action === 'webhooks:run' ? webhooks.work : undefined
  reportRejection({ ...webhooks, work }, error, request)
  if (refusal.code === 'internal_error') {
    const fields = { err: error, request_id: requestId, webhook: about.webhook }
    webhooks.logger.error(fields, 'a request failed')
  }
  return asking(webhooks, row, refusalAnswer(refusal, requestId), exchange)
}

/** Adds `WWW-Authenticate` to a refusal of the token, if the row asks for it. */
function asking(
  { config }: WebhooksContext,
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

/** Words denials, and tells a subject without a valid token that it may not do this, rather than to send a token. */
function settled(
  webhooks: WebhooksContext,
  outcome: Answer | Denial,
  row: FramedRow,
  exchange: Exchange,
): Answer | Promise<Answer> {
  if (outcome instanceof Denial) exchange.about.refusal = { code: outcome.code }
  const answer =
    outcome instanceof Denial
      ? asking(webhooks, row, refusalAnswer(outcome, exchange.requestId), exchange)
      : outcome
  const { access } = webhooks
  const { info, about } = exchange
  if (answer.status !== 401 || access === undefined || info.subject === undefined) return answer
  if (row.action === 'public') return answer
  const resource =
    about.webhook === undefined ? undefined : ({ kind: 'webhook', id: about.webhook } as const)
  // It may do this, but not from this page: then the refusal stays.
  return access.check(info, row.action, resource).then(
    () => answer,
    (error: unknown) => refused(webhooks, error, row, exchange),
  )
}

function report(
  { config, counters, clock, logger }: WebhooksContext,
  { request, info, startedAt, requestId, clientAddress, about }: Exchange,
  { status }: Answer,
): void {
  counters.requestAnswered(status)
  const { run, state, refusal } = about
  const ofRun = run && { run_id: run.id, state: run.status, exit_code: run.exit_code }
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

/** The headers of the webhook, unless they would show that a hidden one exists. */
function headersOf(
  { config }: WebhooksContext,
  { about }: Exchange,
  { status }: Answer,
): Readonly<Record<string, string>> {
  const { webhook: id } = about
  const webhook = id === undefined ? undefined : findWebhook(config.current, id)
  const isHidden = config.current.hide_ids && status === 401
  return webhook === undefined || isHidden ? {} : ownHeaders(webhook)
}
