import * as z from 'zod/mini'
import type { ApiAnswer, ApiAnswers, ApiInterface, ApiOperation } from '../../http/api/operation.ts'
import { described, named, namedObject, text } from '../../http/api/schema.ts'
import { requestBodies } from '../http/decode-request.ts'
import { runQueries } from '../http/decode-runs-query.ts'
import { type WebhookOperation, webhookOperations } from '../wire/operations.ts'
import {
  accepted,
  canceling,
  executed,
  refusalList,
  run,
  runFacts,
  skipped,
  testedDelivery,
  webhookFailure,
  webhookList,
} from './schemas.ts'

const plain = 'text/plain'
const events = 'text/event-stream'

const refusal: ApiAnswer = { description: 'A refusal.', schema: webhookFailure }

const failures: ApiAnswers = { default: refusal }

const deliveries: ApiAnswers = {
  200: {
    description:
      'The command has ended, or nothing was run. The webhook may choose another status.',
    schema: z.union([executed, skipped]),
    types: [plain, events],
  },
  202: { description: 'The run goes on.', schema: accepted },
  default: {
    description: 'A refusal, or a run that failed.',
    schema: z.union([webhookFailure, executed, skipped]),
    types: [plain],
  },
}

const waiting: z.ZodMiniObject = z.object({
  prefer: described(z.optional(text), '`respond-async`, or `wait=10` for at most ten seconds.'),
  'x-request-id': z.optional(text),
})

const status = z.object({ status: z.literal('ok') })
const readiness = z.object({
  status: z.literal('ok'),
  refused_files: z.optional(
    described(z.int(), 'The number of files with webhooks that are refused; absent for none.'),
  ),
})

const operations: Readonly<Record<WebhookOperation, ApiOperation>> = {
  runWebhook: {
    summary: 'Runs a webhook. The body names it and has its token.',
    headers: waiting,
    body: requestBodies.delivery,
    answers: deliveries,
  },
  deliverWebhook: {
    summary:
      'Runs a webhook. The body is its data; a header has the token, or the request is signed.',
    headers: waiting,
    body: z.unknown(),
    answers: deliveries,
  },
  listWebhooks: {
    summary: 'The webhooks whose runs the sender may see, with the values that each reads.',
    answers: { 200: { description: 'The webhooks.', schema: webhookList }, ...failures },
  },
  listRefusals: {
    summary: 'The last deliveries of a webhook that this process refused, newest first.',
    query: runQueries.refusals,
    answers: { 200: { description: 'The refusals.', schema: refusalList }, ...failures },
  },
  testWebhook: {
    summary:
      'Signs a delivery like its sender, and says what would be checked and run. Runs nothing. For senders that may run the webhook.',
    body: named('DeliveryTest', 'A delivery to test.', requestBodies.trial),
    answers: { 200: { description: 'What would happen.', schema: testedDelivery }, ...failures },
  },
  listRuns: {
    summary: 'Runs, newest first. For the administrator, or of one webhook for its token.',
    query: runQueries.filter,
    answers: {
      200: {
        description: 'A page of runs.',
        schema: namedObject('RunPage', 'A page of runs, newest first.', {
          runs: z.array(run),
          next: described(z.nullable(text), 'The `before` of the next page.'),
        }),
      },
      ...failures,
    },
  },
  getRunChanges: {
    summary: 'The changes of runs, as they happen. For the administrator.',
    query: runQueries.changes,
    headers: z.object({
      'last-event-id': described(z.optional(text), 'The `id` of the last known event.'),
    }),
    answers: { 200: { description: 'A stream of events.', types: [events] }, ...failures },
  },
  getRun: {
    summary: 'One run.',
    query: runQueries.run,
    answers: { 200: { description: 'The run.', schema: run }, ...failures },
  },
  cancelRun: {
    summary: 'Ends a run.',
    answers: { 202: { description: 'It is being ended.', schema: canceling }, ...failures },
  },
  getOutput: {
    summary: 'The output of a run: what is kept of it, or a stream.',
    query: runQueries.output,
    answers: {
      200: { description: 'The output.', types: [plain, events] },
      ...failures,
    },
  },
  hashMessage: {
    summary: 'The SHA-1 of a message. Only where it is enabled.',
    body: requestBodies.hash,
    answers: {
      200: {
        description: 'The hash.',
        schema: namedObject('HashedMessage', 'A hash in hex.', {
          message: described(text, 'The hash again, for older clients.'),
          hash: text,
          algorithm: z.literal('sha1'),
        }),
      },
      ...failures,
    },
  },
  getWebhookMetrics: {
    summary: 'Metrics in the text format of Prometheus.',
    answers: { 200: { description: 'The metrics.', types: [plain] }, ...failures },
  },
  getWebhookHealth: {
    summary: 'Whether the process lives.',
    answers: { 200: { description: 'It does.', schema: status }, ...failures },
  },
  getWebhookReadiness: {
    summary: 'Whether the service can work.',
    answers: { 200: { description: 'It can.', schema: readiness }, ...failures },
  },
}

/** The HTTP interface of the webhook service. */
export const webhookApi: ApiInterface<WebhookOperation> = {
  tag: 'webhooks',
  places: webhookOperations,
  operations,
  events: [runFacts],
}
