import * as z from 'zod'
import { webhookErrorCodes } from '../errors.ts'
import { runReasons, runStatuses } from '../run.ts'

const text: z.ZodString = z.string()
const instant = z.string().meta({ format: 'date-time' })

const runStatus: z.ZodType = z
  .enum(runStatuses)
  .meta({ id: 'RunStatus', description: 'The status of a run. Only the first two can change.' })

const runReason = z
  .enum(runReasons)
  .meta({ id: 'RunReason', description: 'Why a run failed or was canceled.' })

const notRecorded = z
  .literal(false)
  .optional()
  .describe('The end of the run is not recorded yet. If the server dies before, the run is lost.')

export const run: z.ZodType = z
  .object({
    run_id: text,
    id: text.describe('The id of the webhook.'),
    status: runStatus,
    reason: runReason.nullable(),
    exit_code: z.int().nullable(),
    signal: text.nullable(),
    attempts: z.int().describe('How many times its command was started.'),
    created_at: instant,
    started_at: instant.nullable(),
    finished_at: instant.nullable(),
    queued_ms: z.number(),
    duration_ms: z.number().nullable(),
    client_ip: text.nullable(),
    request_id: text.nullable(),
    stdout: text.describe('The kept part of the output.'),
    stderr: text,
    stdout_bytes: z.int().describe('How many bytes the command wrote.'),
    stderr_bytes: z.int(),
    stdout_truncated: z.boolean(),
    stderr_truncated: z.boolean(),
    error: text.optional().describe('Why its command did not start.'),
    argv: z.array(text).optional().describe('Program and arguments, if the history keeps them.'),
    recorded: notRecorded,
  })
  .meta({ id: 'Run', description: 'One execution of the command of a webhook.' })

const facts = {
  id: text.describe('The id of the webhook.'),
  run_id: text,
  status: runStatus,
  reason: runReason.optional().describe('Only if the run did not succeed.'),
  exit_code: z.int().nullable(),
  signal: text.nullable(),
  duration_ms: z.number().nullable(),
  queued_ms: z.number(),
  recorded: notRecorded,
}

export const runFacts: z.ZodType = z.object(facts).meta({
  id: 'RunFacts',
  description: 'The data of the events at the start and the end of a stream.',
})

const output = {
  stdout: text.optional(),
  stderr: text.optional(),
  stdout_truncated: z.literal(true).optional(),
  stderr_truncated: z.literal(true).optional(),
}

const duplicate = {
  duplicate: z
    .literal(true)
    .optional()
    .describe('An earlier delivery with the same key started the run.'),
}

export const executed: z.ZodType = z
  .object({ message: text, ...facts, ...duplicate, ...output })
  .meta({ id: 'ExecutedRun', description: 'The answer once a run has succeeded.' })

export const accepted: z.ZodType = z
  .object({
    message: text,
    id: text,
    run_id: text,
    status: runStatus,
    recorded: notRecorded,
    ...duplicate,
    status_url: text,
  })
  .meta({ id: 'AcceptedRun', description: 'The answer while a run goes on.' })

export const skipped: z.ZodType = z
  .object({ message: text, id: text, status: z.literal('skipped') })
  .meta({
    id: 'SkippedDelivery',
    description: 'The answer if the rules of the webhook are not satisfied.',
  })

export const canceling: z.ZodType = z
  .object({ message: text, ...facts })
  .meta({ id: 'CancelingRun', description: 'The answer while a run is being ended.' })

export const webhookFailure: z.ZodType = z
  .object({
    message: text.describe('For people.'),
    code: z
      .enum(webhookErrorCodes)
      .meta({ id: 'WebhookErrorCode', description: 'Why a request was refused, or a run failed.' }),
    request_id: text,
    error: text.optional(),
    fields: z
      .array(z.object({ path: text, problem: text }))
      .optional()
      .describe('What is wrong with the request.'),
    argument: z.unknown().optional(),
    source: z.unknown().optional(),
    ...z.object({ ...facts, ...duplicate }).partial().shape,
    ...output,
  })
  .meta({ id: 'WebhookFailure', description: 'The answer to a refused request or a failed run.' })

const input = z
  .object({
    use: z
      .enum(['argument', 'variable', 'file'])
      .describe('The use of the value: an argument, a variable, or a file named by a variable.'),
    name: text.describe('The name of the argument, which may be empty, or of the variable.'),
    source: text.describe('The place of the value, such as `data.image` or `header:X-Name`.'),
    required: z.boolean().describe('Whether a request without the value is refused.'),
    default: text.optional().describe('The value of an argument if the request has none.'),
    pattern: text.optional().describe('Must match the whole value, in RE2 syntax.'),
    max_length: z.int().optional().describe('The longest value, in bytes.'),
    allow_dash: z.boolean().optional().describe('Whether the value may begin with a dash.'),
    base64: z.literal(true).optional().describe('The value is base64.'),
  })
  .meta({ id: 'WebhookInput', description: 'A value that a webhook reads from a request.' })

const listedWebhook = z
  .object({
    id: text,
    mode: z.enum(['sync', 'async', 'stream']),
    concurrency: z.int().describe('How many runs go on at once; 0 for no limit of its own.'),
    queue: z.int().describe('How many runs may wait.'),
    on_busy: z.enum(['queue', 'reject', 'latest']),
    timeout_ms: z.number().nullable().describe('The longest duration of a run.'),
    reads_data: z.boolean().describe('Whether the command reads all data of a request.'),
    inputs: z.array(input),
    actions: z
      .array(z.enum(['webhooks:read', 'webhooks:run', 'webhooks:cancel']))
      .describe('What the sender may do with it.'),
  })
  .meta({ id: 'ListedWebhook', description: 'A webhook without its secrets and its command.' })

export const webhookList: z.ZodType = z
  .object({
    webhooks: z.array(listedWebhook),
    reads_all: z.boolean().describe('Whether the sender may list the runs of all webhooks.'),
  })
  .meta({ id: 'WebhookList', description: 'The webhooks whose runs the sender may see.' })
