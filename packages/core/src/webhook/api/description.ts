// Written by scripts/write-schemas.mjs; `operations.ts` is where to change it.

import type { OpenApiPart } from '../../http/openapi.ts'

/** The part of the OpenAPI document about this service. */
export const description: OpenApiPart = {
  paths: {
    '/webhook': {
      post: {
        operationId: 'runWebhook',
        summary: 'Runs a webhook. The body names it and has its token.',
        tags: ['webhooks'],
        parameters: [
          {
            name: 'prefer',
            in: 'header',
            description: '`respond-async`, or `wait=10` for at most ten seconds.',
            schema: { type: 'string' },
          },
          { name: 'x-request-id', in: 'header', schema: { type: 'string' } },
        ],
        requestBody: {
          content: {
            'application/json': {
              schema: {
                type: 'object',
                properties: {
                  id: { type: 'string', minLength: 1 },
                  token: { type: 'string', minLength: 1 },
                  data: {},
                },
                required: ['id'],
              },
            },
          },
        },
        responses: {
          '200': {
            description:
              'The command has ended, or nothing was run. The webhook may choose another status.',
            content: {
              'application/json': {
                schema: {
                  anyOf: [
                    { $ref: '#/components/schemas/ExecutedRun' },
                    { $ref: '#/components/schemas/SkippedDelivery' },
                  ],
                },
              },
              'text/plain': { schema: { type: 'string' } },
              'text/event-stream': { schema: { type: 'string' } },
            },
          },
          '202': {
            description: 'The run goes on.',
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/AcceptedRun' } },
            },
          },
          default: {
            description: 'A refusal, or a run that failed.',
            content: {
              'application/json': {
                schema: {
                  anyOf: [
                    { $ref: '#/components/schemas/WebhookFailure' },
                    { $ref: '#/components/schemas/ExecutedRun' },
                    { $ref: '#/components/schemas/SkippedDelivery' },
                  ],
                },
              },
              'text/plain': { schema: { type: 'string' } },
            },
          },
        },
      },
    },
    '/webhook/{id}': {
      post: {
        operationId: 'deliverWebhook',
        summary:
          'Runs a webhook. The body is its data; a header has the token, or the request is signed.',
        tags: ['webhooks'],
        parameters: [
          { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
          {
            name: 'prefer',
            in: 'header',
            description: '`respond-async`, or `wait=10` for at most ten seconds.',
            schema: { type: 'string' },
          },
          { name: 'x-request-id', in: 'header', schema: { type: 'string' } },
        ],
        requestBody: { content: { 'application/json': { schema: {} } } },
        responses: {
          '200': {
            description:
              'The command has ended, or nothing was run. The webhook may choose another status.',
            content: {
              'application/json': {
                schema: {
                  anyOf: [
                    { $ref: '#/components/schemas/ExecutedRun' },
                    { $ref: '#/components/schemas/SkippedDelivery' },
                  ],
                },
              },
              'text/plain': { schema: { type: 'string' } },
              'text/event-stream': { schema: { type: 'string' } },
            },
          },
          '202': {
            description: 'The run goes on.',
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/AcceptedRun' } },
            },
          },
          default: {
            description: 'A refusal, or a run that failed.',
            content: {
              'application/json': {
                schema: {
                  anyOf: [
                    { $ref: '#/components/schemas/WebhookFailure' },
                    { $ref: '#/components/schemas/ExecutedRun' },
                    { $ref: '#/components/schemas/SkippedDelivery' },
                  ],
                },
              },
              'text/plain': { schema: { type: 'string' } },
            },
          },
        },
      },
    },
    '/webhooks': {
      get: {
        operationId: 'listWebhooks',
        summary: 'The webhooks whose runs the sender may see, with the values that each reads.',
        tags: ['webhooks'],
        responses: {
          '200': {
            description: 'The webhooks.',
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/WebhookList' } },
            },
          },
          default: {
            description: 'A refusal.',
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/WebhookFailure' } },
            },
          },
        },
      },
    },
    '/runs': {
      get: {
        operationId: 'listRuns',
        summary: 'Runs, newest first. For the administrator, or of one webhook for its token.',
        tags: ['webhooks'],
        parameters: [
          {
            name: 'output',
            in: 'query',
            schema: { default: '1', type: 'string', enum: ['0', '1'] },
          },
          { name: 'id', in: 'query', schema: { type: 'string' } },
          {
            name: 'status',
            in: 'query',
            schema: {
              type: 'string',
              enum: [
                'queued',
                'running',
                'succeeded',
                'failed',
                'timed_out',
                'canceled',
                'superseded',
                'lost',
              ],
            },
          },
          { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 500 } },
          {
            name: 'before',
            in: 'query',
            schema: { type: 'string', pattern: '^run_[0-9a-z]{26}$' },
          },
        ],
        responses: {
          '200': {
            description: 'A page of runs.',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/RunPage' } } },
          },
          default: {
            description: 'A refusal.',
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/WebhookFailure' } },
            },
          },
        },
      },
    },
    '/runs/changes': {
      get: {
        operationId: 'getRunChanges',
        summary: 'The changes of runs, as they happen. For the administrator.',
        tags: ['webhooks'],
        parameters: [
          { name: 'id', in: 'query', schema: { type: 'string' } },
          { name: 'since', in: 'query', schema: { type: 'string' } },
          {
            name: 'last-event-id',
            in: 'header',
            description: 'The `id` of the last known event.',
            schema: { type: 'string' },
          },
        ],
        responses: {
          '200': {
            description: 'A stream of events.',
            content: { 'text/event-stream': { schema: { type: 'string' } } },
          },
          default: {
            description: 'A refusal.',
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/WebhookFailure' } },
            },
          },
        },
      },
    },
    '/runs/{run_id}': {
      get: {
        operationId: 'getRun',
        summary: 'One run.',
        tags: ['webhooks'],
        parameters: [
          { name: 'run_id', in: 'path', required: true, schema: { type: 'string' } },
          {
            name: 'output',
            in: 'query',
            schema: { default: '1', type: 'string', enum: ['0', '1'] },
          },
        ],
        responses: {
          '200': {
            description: 'The run.',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Run' } } },
          },
          default: {
            description: 'A refusal.',
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/WebhookFailure' } },
            },
          },
        },
      },
      delete: {
        operationId: 'cancelRun',
        summary: 'Ends a run.',
        tags: ['webhooks'],
        parameters: [{ name: 'run_id', in: 'path', required: true, schema: { type: 'string' } }],
        responses: {
          '202': {
            description: 'It is being ended.',
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/CancelingRun' } },
            },
          },
          default: {
            description: 'A refusal.',
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/WebhookFailure' } },
            },
          },
        },
      },
    },
    '/runs/{run_id}/output': {
      get: {
        operationId: 'getOutput',
        summary: 'The output of a run: what is kept of it, or a stream.',
        tags: ['webhooks'],
        parameters: [
          { name: 'run_id', in: 'path', required: true, schema: { type: 'string' } },
          {
            name: 'stream',
            in: 'query',
            schema: { default: 'both', type: 'string', enum: ['stdout', 'stderr', 'both'] },
          },
          {
            name: 'follow',
            in: 'query',
            schema: { default: '0', type: 'string', enum: ['0', '1'] },
          },
        ],
        responses: {
          '200': {
            description: 'The output.',
            content: {
              'text/plain': { schema: { type: 'string' } },
              'text/event-stream': { schema: { type: 'string' } },
            },
          },
          default: {
            description: 'A refusal.',
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/WebhookFailure' } },
            },
          },
        },
      },
    },
    '/hash': {
      post: {
        operationId: 'hashMessage',
        summary: 'The SHA-1 of a message. Only where it is enabled.',
        tags: ['webhooks'],
        requestBody: {
          content: {
            'application/json': {
              schema: {
                type: 'object',
                properties: { message: { type: 'string' } },
                required: ['message'],
              },
            },
          },
        },
        responses: {
          '200': {
            description: 'The hash.',
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/HashedMessage' } },
            },
          },
          default: {
            description: 'A refusal.',
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/WebhookFailure' } },
            },
          },
        },
      },
    },
    '/metrics': {
      get: {
        operationId: 'getWebhookMetrics',
        summary: 'Metrics in the text format of Prometheus.',
        tags: ['webhooks'],
        responses: {
          '200': {
            description: 'The metrics.',
            content: { 'text/plain': { schema: { type: 'string' } } },
          },
          default: {
            description: 'A refusal.',
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/WebhookFailure' } },
            },
          },
        },
      },
    },
    '/healthz': {
      get: {
        operationId: 'getWebhookHealth',
        summary: 'Whether the process lives.',
        tags: ['webhooks'],
        responses: {
          '200': {
            description: 'It does.',
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  properties: { status: { type: 'string', const: 'ok' } },
                  required: ['status'],
                },
              },
            },
          },
          default: {
            description: 'A refusal.',
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/WebhookFailure' } },
            },
          },
        },
      },
    },
    '/readyz': {
      get: {
        operationId: 'getWebhookReadiness',
        summary: 'Whether the service can work.',
        tags: ['webhooks'],
        responses: {
          '200': {
            description: 'It can.',
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  properties: { status: { type: 'string', const: 'ok' } },
                  required: ['status'],
                },
              },
            },
          },
          default: {
            description: 'A refusal.',
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/WebhookFailure' } },
            },
          },
        },
      },
    },
  },
  schemas: {
    AcceptedRun: {
      type: 'object',
      properties: {
        message: { type: 'string' },
        id: { type: 'string' },
        run_id: { type: 'string' },
        status: { $ref: '#/components/schemas/RunStatus' },
        recorded: {
          description:
            'The end of the run is not recorded yet. If the server dies before, the run is lost.',
          type: 'boolean',
          const: false,
        },
        duplicate: {
          description: 'An earlier delivery with the same key started the run.',
          type: 'boolean',
          const: true,
        },
        status_url: { type: 'string' },
      },
      required: ['message', 'id', 'run_id', 'status', 'status_url'],
      description: 'The answer while a run goes on.',
    },
    CancelingRun: {
      type: 'object',
      properties: {
        message: { type: 'string' },
        id: { type: 'string', description: 'The id of the webhook.' },
        run_id: { type: 'string' },
        status: { $ref: '#/components/schemas/RunStatus' },
        reason: {
          description: 'Only if the run did not succeed.',
          $ref: '#/components/schemas/RunReason',
        },
        exit_code: { type: ['integer', 'null'] },
        signal: { type: ['string', 'null'] },
        duration_ms: { type: ['number', 'null'] },
        queued_ms: { type: 'number' },
        recorded: {
          description:
            'The end of the run is not recorded yet. If the server dies before, the run is lost.',
          type: 'boolean',
          const: false,
        },
      },
      required: [
        'message',
        'id',
        'run_id',
        'status',
        'exit_code',
        'signal',
        'duration_ms',
        'queued_ms',
      ],
      description: 'The answer while a run is being ended.',
    },
    ExecutedRun: {
      type: 'object',
      properties: {
        message: { type: 'string' },
        id: { type: 'string', description: 'The id of the webhook.' },
        run_id: { type: 'string' },
        status: { $ref: '#/components/schemas/RunStatus' },
        reason: {
          description: 'Only if the run did not succeed.',
          $ref: '#/components/schemas/RunReason',
        },
        exit_code: { type: ['integer', 'null'] },
        signal: { type: ['string', 'null'] },
        duration_ms: { type: ['number', 'null'] },
        queued_ms: { type: 'number' },
        recorded: {
          description:
            'The end of the run is not recorded yet. If the server dies before, the run is lost.',
          type: 'boolean',
          const: false,
        },
        duplicate: {
          description: 'An earlier delivery with the same key started the run.',
          type: 'boolean',
          const: true,
        },
        stdout: { type: 'string' },
        stderr: { type: 'string' },
        stdout_truncated: { type: 'boolean', const: true },
        stderr_truncated: { type: 'boolean', const: true },
      },
      required: [
        'message',
        'id',
        'run_id',
        'status',
        'exit_code',
        'signal',
        'duration_ms',
        'queued_ms',
      ],
      description: 'The answer once a run has succeeded.',
    },
    HashedMessage: {
      type: 'object',
      properties: {
        message: { type: 'string', description: 'The hash again, for older clients.' },
        hash: { type: 'string' },
        algorithm: { type: 'string', const: 'sha1' },
      },
      required: ['message', 'hash', 'algorithm'],
      description: 'A hash in hex.',
    },
    ListedWebhook: {
      type: 'object',
      properties: {
        id: { type: 'string' },
        mode: { type: 'string', enum: ['sync', 'async', 'stream'] },
        concurrency: {
          type: 'integer',
          description: 'How many runs go on at once; 0 for no limit of its own.',
        },
        queue: { type: 'integer', description: 'How many runs may wait.' },
        on_busy: { type: 'string', enum: ['queue', 'reject', 'latest'] },
        timeout_ms: { description: 'The longest duration of a run.', type: ['number', 'null'] },
        reads_data: {
          type: 'boolean',
          description: 'Whether the command reads all data of a request.',
        },
        inputs: { type: 'array', items: { $ref: '#/components/schemas/WebhookInput' } },
        actions: {
          type: 'array',
          items: { type: 'string', enum: ['webhooks:read', 'webhooks:run', 'webhooks:cancel'] },
          description: 'What the sender may do with it.',
        },
      },
      required: [
        'id',
        'mode',
        'concurrency',
        'queue',
        'on_busy',
        'timeout_ms',
        'reads_data',
        'inputs',
        'actions',
      ],
      description: 'A webhook without its secrets and its command.',
    },
    Run: {
      type: 'object',
      properties: {
        run_id: { type: 'string' },
        id: { type: 'string', description: 'The id of the webhook.' },
        status: { $ref: '#/components/schemas/RunStatus' },
        reason: { anyOf: [{ $ref: '#/components/schemas/RunReason' }, { type: 'null' }] },
        exit_code: { type: ['integer', 'null'] },
        signal: { type: ['string', 'null'] },
        attempts: { type: 'integer', description: 'How many times its command was started.' },
        created_at: { type: 'string', format: 'date-time' },
        started_at: { anyOf: [{ type: 'string', format: 'date-time' }, { type: 'null' }] },
        finished_at: { anyOf: [{ type: 'string', format: 'date-time' }, { type: 'null' }] },
        queued_ms: { type: 'number' },
        duration_ms: { type: ['number', 'null'] },
        client_ip: { type: ['string', 'null'] },
        request_id: { type: ['string', 'null'] },
        stdout: { type: 'string', description: 'The kept part of the output.' },
        stderr: { type: 'string' },
        stdout_bytes: { type: 'integer', description: 'How many bytes the command wrote.' },
        stderr_bytes: { type: 'integer' },
        stdout_truncated: { type: 'boolean' },
        stderr_truncated: { type: 'boolean' },
        error: { description: 'Why its command did not start.', type: 'string' },
        argv: {
          description: 'Program and arguments, if the history keeps them.',
          type: 'array',
          items: { type: 'string' },
        },
        recorded: {
          description:
            'The end of the run is not recorded yet. If the server dies before, the run is lost.',
          type: 'boolean',
          const: false,
        },
      },
      required: [
        'run_id',
        'id',
        'status',
        'reason',
        'exit_code',
        'signal',
        'attempts',
        'created_at',
        'started_at',
        'finished_at',
        'queued_ms',
        'duration_ms',
        'client_ip',
        'request_id',
        'stdout',
        'stderr',
        'stdout_bytes',
        'stderr_bytes',
        'stdout_truncated',
        'stderr_truncated',
      ],
      description: 'One execution of the command of a webhook.',
    },
    RunFacts: {
      type: 'object',
      properties: {
        id: { type: 'string', description: 'The id of the webhook.' },
        run_id: { type: 'string' },
        status: { $ref: '#/components/schemas/RunStatus' },
        reason: {
          description: 'Only if the run did not succeed.',
          $ref: '#/components/schemas/RunReason',
        },
        exit_code: { type: ['integer', 'null'] },
        signal: { type: ['string', 'null'] },
        duration_ms: { type: ['number', 'null'] },
        queued_ms: { type: 'number' },
        recorded: {
          description:
            'The end of the run is not recorded yet. If the server dies before, the run is lost.',
          type: 'boolean',
          const: false,
        },
      },
      required: ['id', 'run_id', 'status', 'exit_code', 'signal', 'duration_ms', 'queued_ms'],
      description: 'The data of the events at the start and the end of a stream.',
    },
    RunPage: {
      type: 'object',
      properties: {
        runs: { type: 'array', items: { $ref: '#/components/schemas/Run' } },
        next: { description: 'The `before` of the next page.', type: ['string', 'null'] },
      },
      required: ['runs', 'next'],
      description: 'A page of runs, newest first.',
    },
    RunReason: {
      type: 'string',
      enum: [
        'exit_code',
        'signal',
        'not_started',
        'output_limit',
        'canceled',
        'disconnect',
        'shutdown',
      ],
      description: 'Why a run failed or was canceled.',
    },
    RunStatus: {
      type: 'string',
      enum: [
        'queued',
        'running',
        'succeeded',
        'failed',
        'timed_out',
        'canceled',
        'superseded',
        'lost',
      ],
      description: 'The status of a run. Only the first two can change.',
    },
    SkippedDelivery: {
      type: 'object',
      properties: {
        message: { type: 'string' },
        id: { type: 'string' },
        status: { type: 'string', const: 'skipped' },
      },
      required: ['message', 'id', 'status'],
      description: 'The answer if the rules of the webhook are not satisfied.',
    },
    WebhookErrorCode: {
      type: 'string',
      enum: [
        'invalid_json',
        'invalid_request',
        'invalid_token',
        'invalid_signature',
        'not_authenticated',
        'not_allowed',
        'address_not_allowed',
        'unknown_webhook',
        'unknown_run',
        'not_found',
        'method_not_allowed',
        'request_timeout',
        'superseded',
        'canceled',
        'run_finished',
        'body_too_large',
        'unsupported_media_type',
        'argument_missing',
        'argument_rejected',
        'queue_full',
        'rate_limited',
        'command_failed',
        'command_not_started',
        'command_timeout',
        'internal_error',
        'shutting_down',
        'overloaded',
        'storage_unavailable',
      ],
      description: 'Why a request was refused, or a run failed.',
    },
    WebhookFailure: {
      type: 'object',
      properties: {
        message: { type: 'string', description: 'For people.' },
        code: { $ref: '#/components/schemas/WebhookErrorCode' },
        request_id: { type: 'string' },
        error: { type: 'string' },
        fields: {
          description: 'What is wrong with the request.',
          type: 'array',
          items: {
            type: 'object',
            properties: { path: { type: 'string' }, problem: { type: 'string' } },
            required: ['path', 'problem'],
          },
        },
        argument: {},
        source: {},
        id: { type: 'string', description: 'The id of the webhook.' },
        run_id: { type: 'string' },
        status: { $ref: '#/components/schemas/RunStatus' },
        reason: {
          description: 'Only if the run did not succeed.',
          $ref: '#/components/schemas/RunReason',
        },
        exit_code: { type: ['integer', 'null'] },
        signal: { type: ['string', 'null'] },
        duration_ms: { type: ['number', 'null'] },
        queued_ms: { type: 'number' },
        recorded: {
          description:
            'The end of the run is not recorded yet. If the server dies before, the run is lost.',
          type: 'boolean',
          const: false,
        },
        duplicate: {
          description: 'An earlier delivery with the same key started the run.',
          type: 'boolean',
          const: true,
        },
        stdout: { type: 'string' },
        stderr: { type: 'string' },
        stdout_truncated: { type: 'boolean', const: true },
        stderr_truncated: { type: 'boolean', const: true },
      },
      required: ['message', 'code', 'request_id'],
      description: 'The answer to a refused request or a failed run.',
    },
    WebhookInput: {
      type: 'object',
      properties: {
        use: {
          type: 'string',
          enum: ['argument', 'variable', 'file'],
          description:
            'The use of the value: an argument, a variable, or a file named by a variable.',
        },
        name: {
          type: 'string',
          description: 'The name of the argument, which may be empty, or of the variable.',
        },
        source: {
          type: 'string',
          description: 'The place of the value, such as `data.image` or `header:X-Name`.',
        },
        required: {
          type: 'boolean',
          description: 'Whether a request without the value is refused.',
        },
        default: {
          description: 'The value of an argument if the request has none.',
          type: 'string',
        },
        pattern: { description: 'Must match the whole value, in RE2 syntax.', type: 'string' },
        max_length: { description: 'The longest value, in bytes.', type: 'integer' },
        allow_dash: { description: 'Whether the value may begin with a dash.', type: 'boolean' },
        base64: { description: 'The value is base64.', type: 'boolean', const: true },
      },
      required: ['use', 'name', 'source', 'required'],
      description: 'A value that a webhook reads from a request.',
    },
    WebhookList: {
      type: 'object',
      properties: {
        webhooks: { type: 'array', items: { $ref: '#/components/schemas/ListedWebhook' } },
        reads_all: {
          type: 'boolean',
          description: 'Whether the sender may list the runs of all webhooks.',
        },
      },
      required: ['webhooks', 'reads_all'],
      description: 'The webhooks whose runs the sender may see.',
    },
  },
}
