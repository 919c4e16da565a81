import * as z from 'zod/mini'
import {
  type ApiSchema,
  described,
  instant,
  named,
  namedObject,
  text,
} from '../../http/api/schema.ts'
import { webhookErrorCodes } from '../errors.ts'
import { deliveryChecks } from '../explain-delivery.ts'
import { runReasons, runStatuses } from '../run.ts'

const runStatus: ApiSchema = named(
  'RunStatus',
  'The status of a run. Only the first two can change.',
  z.enum(runStatuses),
)

const runReason = named('RunReason', 'Why a run failed or was canceled.', z.enum(runReasons))

const notRecorded = described(
  z.optional(z.literal(false)),
  'The end of the run is not recorded yet. If the server dies before, the run is lost.',
)

export const run: ApiSchema = namedObject('Run', 'One execution of the command of a webhook.', {
  run_id: text,
  id: described(text, 'The id of the webhook.'),
  status: runStatus,
  reason: z.nullable(runReason),
  exit_code: described(z.nullable(z.int()), '`null` until it has ended, and if it never started.'),
  signal: z.nullable(text),
  attempts: described(z.int(), 'How many times its command was started.'),
  created_at: instant,
  started_at: z.nullable(instant),
  finished_at: z.nullable(instant),
  queued_ms: z.number(),
  duration_ms: z.nullable(z.number()),
  client_ip: z.nullable(text),
  request_id: z.nullable(text),
  cause: described(
    z.optional(
      z.union([
        z.object({ type: z.literal('subject'), id: text, kind: z.optional(text) }),
        z.object({ type: z.literal('schedule'), at: instant }),
        z.object({ type: z.literal('run'), run_id: text, depth: z.int() }),
        z.object({ type: z.literal('alert'), receiver: text, group_hash: text }),
      ]),
    ),
    'What started the run: `subject` is a sender with the right to run the webhook. Absent if a delivery with a token or a signature did.',
  ),
  stdout: described(
    text,
    'The kept part of the output as text; bytes that are not UTF-8 become U+FFFD.',
  ),
  stderr: text,
  stdout_bytes: described(z.int(), 'How many bytes the command wrote.'),
  stderr_bytes: z.int(),
  stdout_truncated: z.boolean(),
  stderr_truncated: z.boolean(),
  error: described(z.optional(text), 'Why its command did not start.'),
  argv: described(z.optional(z.array(text)), 'Program and arguments, if the history keeps them.'),
  recorded: notRecorded,
})

const facts = {
  id: described(text, 'The id of the webhook.'),
  run_id: text,
  status: runStatus,
  reason: described(z.optional(runReason), 'Only if the run did not succeed.'),
  exit_code: z.nullable(z.int()),
  signal: z.nullable(text),
  duration_ms: z.nullable(z.number()),
  queued_ms: z.number(),
  recorded: notRecorded,
}

export const runFacts: ApiSchema = namedObject(
  'RunFacts',
  'The data of the events at the start and the end of a stream.',
  facts,
)

const output = {
  stdout: z.optional(text),
  stderr: z.optional(text),
  stdout_truncated: z.optional(z.literal(true)),
  stderr_truncated: z.optional(z.literal(true)),
}

const duplicate = {
  duplicate: described(
    z.optional(z.literal(true)),
    'An earlier delivery with the same key started the run.',
  ),
}

export const executed: ApiSchema = namedObject(
  'ExecutedRun',
  'The answer once a run has succeeded.',
  { message: text, ...facts, ...duplicate, ...output },
)

export const accepted: ApiSchema = namedObject('AcceptedRun', 'The answer while a run goes on.', {
  message: text,
  id: text,
  run_id: text,
  status: runStatus,
  recorded: notRecorded,
  ...duplicate,
  status_url: text,
})

export const skipped: ApiSchema = namedObject(
  'SkippedDelivery',
  'The answer if the rules of the webhook are not satisfied.',
  { message: text, id: text, status: z.literal('skipped') },
)

export const canceling: ApiSchema = namedObject(
  'CancelingRun',
  'The answer while a run is being ended.',
  { message: text, ...facts },
)

export const webhookFailure: ApiSchema = namedObject(
  'WebhookFailure',
  'The answer to a refused request or a failed run.',
  {
    message: described(text, 'For people.'),
    code: named(
      'WebhookErrorCode',
      'Why a request was refused, or a run failed.',
      z.enum(webhookErrorCodes),
    ),
    request_id: text,
    error: z.optional(text),
    fields: described(
      z.optional(z.array(z.object({ path: text, problem: text }))),
      'What is wrong with the request.',
    ),
    argument: z.optional(z.unknown()),
    source: z.optional(z.unknown()),
    ...z.partial(z.object({ ...facts, ...duplicate })).shape,
    ...output,
  },
)

const input = namedObject('WebhookInput', 'A value that a webhook reads from a request.', {
  use: described(
    z.enum(['argument', 'variable', 'file']),
    'The use of the value: an argument, a variable of the environment, or a file whose path is in a variable.',
  ),
  name: described(text, 'The name of the argument, which may be empty, or of the variable.'),
  source: described(text, 'The place of the value, such as `data.image` or `header:X-Name`.'),
  required: described(z.boolean(), 'Whether a request without the value is refused.'),
  default: described(
    z.optional(text),
    'The value of an argument if the request has none. Defaults of variables are not shown, because they may be secrets.',
  ),
  pattern: described(z.optional(text), 'Must match the whole value, in RE2 syntax.'),
  max_length: described(z.optional(z.int()), 'The longest value, in bytes.'),
  allow_dash: described(
    z.optional(z.boolean()),
    'Whether the value may begin with a dash (default: it may).',
  ),
  base64: described(z.optional(z.literal(true)), 'The value is base64.'),
})

const recipe = namedObject(
  'SenderRecipe',
  'What to enter at the sender of a webhook. It has no secret.',
  {
    path: described(text, 'Below where the service is served.'),
    methods: z.array(text),
    content_types: described(z.array(text), 'Types of bodies.'),
    token: described(
      z.nullable(
        z.object({
          in: z.enum(['bearer', 'header', 'query', 'basic', 'path']),
          name: z.optional(text),
        }),
      ),
      'Where the token may be besides `Authorization: Bearer`; `null` if no token starts a run.',
    ),
    signature: described(
      z.nullable(z.object({ algorithm: text, headers: z.array(text) })),
      'How bodies are signed; `null` if they need not be.',
    ),
  },
)

const listedWebhook = namedObject(
  'ListedWebhook',
  'A webhook without its secrets and its command.',
  {
    id: text,
    mode: z.enum(['sync', 'async', 'stream']),
    concurrency: described(z.int(), 'How many runs go on at once; 0 for no limit of its own.'),
    queue: described(z.int(), 'How many runs may wait.'),
    on_busy: z.enum(['queue', 'reject', 'latest']),
    timeout_ms: described(z.nullable(z.number()), 'The longest duration of a run.'),
    reads_data: described(z.boolean(), 'Whether the command reads all data of a request.'),
    inputs: z.array(input),
    sender: described(recipe, 'What to enter at its sender.'),
    actions: described(
      z.array(z.enum(['webhooks:read', 'webhooks:run', 'webhooks:cancel'])),
      'What the sender may do with it.',
    ),
  },
)

export const webhookList: ApiSchema = namedObject(
  'WebhookList',
  'The webhooks whose runs the sender may see.',
  {
    webhooks: z.array(listedWebhook),
    reads_all: described(z.boolean(), 'Whether the sender may list the runs of all webhooks.'),
  },
)

export const refusalList: ApiSchema = namedObject(
  'RefusalList',
  'Deliveries of a webhook that were refused, newest first, without their values.',
  {
    refusals: z.array(
      z.object({
        at: instant,
        code: described(text, 'The code of the answer.'),
        about: described(
          z.optional(text),
          'The source, the argument or the variable that the refusal is about.',
        ),
        request_id: text,
        client_ip: z.nullable(text),
      }),
    ),
  },
)

export const testedDelivery: ApiSchema = namedObject(
  'TestedDelivery',
  'What would happen to a delivery.',
  {
    runs: described(z.boolean(), 'Whether it would start a run.'),
    checks: described(
      z.array(
        z.object({
          check: z.enum(deliveryChecks),
          outcome: z.enum(['passed', 'refused', 'answered']),
          detail: text,
        }),
      ),
      'What is checked, in this order. The last one may end the delivery.',
    ),
    command: described(
      z.nullable(
        z.object({
          argv: described(z.array(text), 'The program and its arguments.'),
          workdir: text,
          variables: described(
            z.record(text, text),
            'Variables of the webhook; fixed values are masked.',
          ),
          files: z.array(z.object({ variable: text, bytes: z.int() })),
          stdin_bytes: z.int(),
        }),
      ),
      'What the command would be given; `null` if it would not be reached.',
    ),
  },
)
