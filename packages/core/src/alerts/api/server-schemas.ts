import * as z from 'zod/mini'
import { type ApiSchema, described, instant, namedObject, text } from '../../http/api/schema.ts'
import { labelSet, renderedIntegration } from './schemas.ts'

export const receiverTestRequest: ApiSchema = namedObject(
  'ReceiverTestRequest',
  'A test notification to send.',
  {
    receiver: text,
    alerts: described(
      z.optional(
        z
          .array(
            namedObject('SampleAlert', 'A made-up alert.', {
              labels: described(z.optional(labelSet), 'Added to `alertname="TestAlert"`.'),
              annotations: z.optional(labelSet),
              status: described(z.optional(z.enum(['firing', 'resolved'])), 'Default: firing.'),
              startsAt: z.optional(instant),
              endsAt: z.optional(instant),
              generatorURL: z.optional(text),
            }),
          )
          .check(z.maxLength(100)),
      ),
      'Default: one firing alert.',
    ),
    groupLabels: described(z.optional(labelSet), 'Default: from the first alert.'),
    timeoutMs: described(
      z.optional(z.number().check(z.minimum(0), z.maximum(30_000))),
      'How long an attempt may take, in ms (default 10,000).',
    ),
  },
)

export const receiverTest: ApiSchema = namedObject(
  'ReceiverTest',
  'How a test notification ended.',
  {
    items: z.array(
      namedObject('TestedIntegration', 'How the test of an integration ended.', {
        integration: described(text, 'As `webhook/0`.'),
        result: z.object({
          outcome: described(
            z.enum(['sent', 'retry', 'failed', 'skipped']),
            '`retry`: failed, and a real notification would be sent again.',
          ),
          reason: z.optional(text),
          detail: described(z.optional(text), 'The error, with the answer of the receiver.'),
        }),
        tookMs: z.number(),
        message: described(
          z.optional(renderedIntegration),
          'The message, rendered without secrets. Absent without the right `config:read`, and for a notifier made in code.',
        ),
        isAsSent: described(
          z.optional(z.boolean()),
          'Whether it was sent as it is here, apart from addresses and headers.',
        ),
      }),
    ),
  },
)

export const serverStatus: ApiSchema = namedObject(
  'ServerStatus',
  'The state of a server, for its operators.',
  {
    at: instant,
    startedAt: instant,
    storage: z.object({
      kind: described(z.optional(text), 'Such as `memory`, `sqlite` or `postgres`.'),
      bytes: described(z.optional(z.number()), 'On the disk, free room included.'),
      freeBytes: z.optional(z.number()),
      records: z.optional(z.int()),
      refreshMs: described(
        z.optional(z.number()),
        'How long it took just now to bring the alerts in memory up to date.',
      ),
    }),
    history: z.object({
      retentionMs: described(z.number(), '0: no history is kept.'),
      packedBytes: z.number(),
      maxBytes: described(z.number(), '0: no limit.'),
      waiting: described(z.int(), 'Records that are not written yet.'),
    }),
    processes: described(
      z.array(
        namedObject('ServerProcess', 'A process that shares the storage.', {
          name: text,
          address: described(text, 'The address that it reports, as `host:port`.'),
          isThis: described(z.boolean(), 'Whether it is the one that answers.'),
          heartbeatAt: described(instant, 'When it last renewed its heartbeat, by its own clock.'),
        }),
      ),
      'The processes with a heartbeat in the storage, this one first. Empty without a cluster. None of them leads.',
    ),
    problems: described(
      z.array(
        namedObject('ServerProblem', 'A problem of the server.', {
          isFailure: described(
            z.boolean(),
            'Whether something does not work. Other problems are probable mistakes.',
          ),
          message: described(text, 'One sentence.'),
        }),
      ),
      'Failures first, at most 100.',
    ),
  },
)
