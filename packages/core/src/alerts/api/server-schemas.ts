import * as z from 'zod'
import { instant, labelSet, text } from './schemas.ts'

export const receiverTestRequest: z.ZodType = z
  .object({
    receiver: text,
    alerts: z
      .array(
        z
          .object({
            labels: labelSet.optional().describe('Added to `alertname="TestAlert"`.'),
            annotations: labelSet.optional(),
            status: z.enum(['firing', 'resolved']).optional().describe('Default: firing.'),
            startsAt: instant.optional(),
            endsAt: instant.optional(),
            generatorURL: text.optional(),
          })
          .meta({ id: 'SampleAlert', description: 'A made-up alert.' }),
      )
      .max(100)
      .optional()
      .describe('Default: one firing alert.'),
    groupLabels: labelSet.optional().describe('Default: from the first alert.'),
    timeoutMs: z.number().optional().describe('At most 30,000 (default 10,000).'),
  })
  .meta({ id: 'ReceiverTestRequest', description: 'A test notification to send.' })

export const receiverTest: z.ZodType = z
  .object({
    items: z.array(
      z
        .object({
          integration: text.describe('As `webhook/0`.'),
          result: z.object({
            outcome: z
              .enum(['sent', 'retry', 'failed', 'skipped'])
              .describe('`retry`: failed, and a real notification would be sent again.'),
            reason: text.optional(),
            detail: text.optional().describe('The error, with the answer of the receiver.'),
          }),
          tookMs: z.number(),
        })
        .meta({ id: 'TestedIntegration', description: 'How the test of an integration ended.' }),
    ),
  })
  .meta({ id: 'ReceiverTest', description: 'How a test notification ended.' })

export const serverStatus: z.ZodType = z
  .object({
    at: instant,
    startedAt: instant,
    storage: z.object({
      kind: text.optional().describe('Such as `memory`, `sqlite` or `postgres`.'),
      bytes: z.number().optional().describe('On the disk, free room included.'),
      freeBytes: z.number().optional(),
      records: z.int().optional(),
      refreshMs: z
        .number()
        .optional()
        .describe('How long it took just now to bring the alerts in memory up to date.'),
    }),
    history: z.object({
      retentionMs: z.number().describe('0: no history is kept.'),
      packedBytes: z.number(),
      maxBytes: z.number().describe('0: no limit.'),
      waiting: z.int().describe('Records that are not written yet.'),
    }),
    processes: z
      .array(
        z
          .object({
            name: text,
            address: text,
            isThis: z.boolean().describe('Whether it is the one that answers.'),
            heartbeatAt: instant.describe('By its own clock.'),
          })
          .meta({ id: 'ServerProcess', description: 'A process that shares the storage.' }),
      )
      .describe('Empty without a cluster.'),
    problems: z
      .array(
        z
          .object({
            isFailure: z.boolean().describe('Whether something does not work.'),
            message: text,
          })
          .meta({ id: 'ServerProblem', description: 'A problem of the server.' }),
      )
      .describe('Failures first, at most 100.'),
  })
  .meta({ id: 'ServerStatus', description: 'The state of a server, for its operators.' })
