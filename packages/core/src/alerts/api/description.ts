// Written by scripts/write-schemas.mjs; `operations.ts` is where to change it.

import type { OpenApiPart } from '../../http/openapi.ts'

/** The part of the OpenAPI document about this service. */
export const description: OpenApiPart = {
  paths: {
    '/api/v2/status': {
      get: {
        operationId: 'getStatus',
        summary: 'The state of the service and of its cluster.',
        tags: ['alerts'],
        responses: {
          '200': {
            description: 'The state.',
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/AlertsStatus' } },
            },
          },
          default: {
            description: 'A refusal.',
            content: {
              'application/json': {
                schema: {
                  anyOf: [
                    { type: 'string' },
                    {
                      type: 'object',
                      properties: { code: { type: 'integer' }, message: { type: 'string' } },
                      required: ['code', 'message'],
                    },
                  ],
                },
              },
            },
          },
        },
      },
    },
    '/api/v2/receivers': {
      get: {
        operationId: 'getReceivers',
        summary: 'The receivers.',
        tags: ['alerts'],
        parameters: [
          {
            name: 'receiver_matchers',
            in: 'query',
            description: 'Matchers for labels of receivers.',
            schema: { type: 'array', items: { type: 'string' } },
          },
        ],
        responses: {
          '200': {
            description: 'The receivers.',
            content: {
              'application/json': {
                schema: { type: 'array', items: { $ref: '#/components/schemas/Receiver' } },
              },
            },
          },
          default: {
            description: 'A refusal.',
            content: {
              'application/json': {
                schema: {
                  anyOf: [
                    { type: 'string' },
                    {
                      type: 'object',
                      properties: { code: { type: 'integer' }, message: { type: 'string' } },
                      required: ['code', 'message'],
                    },
                  ],
                },
              },
            },
          },
        },
      },
    },
    '/api/v2/alerts': {
      get: {
        operationId: 'getAlerts',
        summary: 'Firing alerts.',
        tags: ['alerts'],
        parameters: [
          {
            name: 'filter',
            in: 'query',
            description: 'Matchers, as `severity="critical"`. All must match.',
            schema: { type: 'array', items: { type: 'string' } },
          },
          {
            name: 'receiver',
            in: 'query',
            description: 'A regular expression for the whole name of a receiver.',
            schema: { type: 'string' },
          },
          {
            name: 'active',
            in: 'query',
            description: 'Whether alerts that nothing suppresses are listed.',
            schema: { default: true, type: 'boolean' },
          },
          {
            name: 'silenced',
            in: 'query',
            description: 'Whether silenced alerts are listed.',
            schema: { default: true, type: 'boolean' },
          },
          {
            name: 'inhibited',
            in: 'query',
            description: 'Whether inhibited alerts are listed.',
            schema: { default: true, type: 'boolean' },
          },
          {
            name: 'receiver_matchers',
            in: 'query',
            description: 'Matchers for labels of receivers.',
            schema: { type: 'array', items: { type: 'string' } },
          },
          {
            name: 'unprocessed',
            in: 'query',
            description: 'Has no effect.',
            schema: { default: true, type: 'boolean' },
          },
        ],
        responses: {
          '200': {
            description: 'The alerts.',
            content: {
              'application/json': {
                schema: { type: 'array', items: { $ref: '#/components/schemas/Alert' } },
              },
            },
          },
          default: {
            description: 'A refusal.',
            content: {
              'application/json': {
                schema: {
                  anyOf: [
                    { type: 'string' },
                    {
                      type: 'object',
                      properties: { code: { type: 'integer' }, message: { type: 'string' } },
                      required: ['code', 'message'],
                    },
                  ],
                },
              },
            },
          },
        },
      },
      post: {
        operationId: 'postAlerts',
        summary: 'Posts new alerts, or updates of known ones.',
        tags: ['alerts'],
        requestBody: {
          content: {
            'application/json': {
              schema: { type: 'array', items: { $ref: '#/components/schemas/PostableAlert' } },
            },
          },
        },
        responses: {
          '200': { description: 'Done.' },
          default: {
            description: 'A refusal.',
            content: {
              'application/json': {
                schema: {
                  anyOf: [
                    { type: 'string' },
                    {
                      type: 'object',
                      properties: { code: { type: 'integer' }, message: { type: 'string' } },
                      required: ['code', 'message'],
                    },
                  ],
                },
              },
            },
          },
        },
      },
    },
    '/api/v2/alerts/groups': {
      get: {
        operationId: 'getAlertGroups',
        summary: 'Firing alerts by group.',
        tags: ['alerts'],
        parameters: [
          {
            name: 'filter',
            in: 'query',
            description: 'Matchers, as `severity="critical"`. All must match.',
            schema: { type: 'array', items: { type: 'string' } },
          },
          {
            name: 'receiver',
            in: 'query',
            description: 'A regular expression for the whole name of a receiver.',
            schema: { type: 'string' },
          },
          {
            name: 'active',
            in: 'query',
            description: 'Whether alerts that nothing suppresses are listed.',
            schema: { default: true, type: 'boolean' },
          },
          {
            name: 'silenced',
            in: 'query',
            description: 'Whether silenced alerts are listed.',
            schema: { default: true, type: 'boolean' },
          },
          {
            name: 'inhibited',
            in: 'query',
            description: 'Whether inhibited alerts are listed.',
            schema: { default: true, type: 'boolean' },
          },
          {
            name: 'receiver_matchers',
            in: 'query',
            description: 'Matchers for labels of receivers.',
            schema: { type: 'array', items: { type: 'string' } },
          },
          {
            name: 'muted',
            in: 'query',
            description: 'Whether groups that a time interval mutes are listed.',
            schema: { default: true, type: 'boolean' },
          },
        ],
        responses: {
          '200': {
            description: 'The groups.',
            content: {
              'application/json': {
                schema: { type: 'array', items: { $ref: '#/components/schemas/AlertGroup' } },
              },
            },
          },
          default: {
            description: 'A refusal.',
            content: {
              'application/json': {
                schema: {
                  anyOf: [
                    { type: 'string' },
                    {
                      type: 'object',
                      properties: { code: { type: 'integer' }, message: { type: 'string' } },
                      required: ['code', 'message'],
                    },
                  ],
                },
              },
            },
          },
        },
      },
    },
    '/api/v2/silences': {
      get: {
        operationId: 'getSilences',
        summary: 'Silences, including expired ones.',
        tags: ['alerts'],
        parameters: [
          {
            name: 'filter',
            in: 'query',
            description: 'Matchers, as `severity="critical"`. All must match.',
            schema: { type: 'array', items: { type: 'string' } },
          },
          {
            name: 'active',
            in: 'query',
            description: 'Whether active silences are listed.',
            schema: { default: true, type: 'boolean' },
          },
          {
            name: 'pending',
            in: 'query',
            description: 'Whether pending silences are listed.',
            schema: { default: true, type: 'boolean' },
          },
          {
            name: 'expired',
            in: 'query',
            description: 'Whether expired silences are listed.',
            schema: { default: true, type: 'boolean' },
          },
        ],
        responses: {
          '200': {
            description: 'The silences.',
            content: {
              'application/json': {
                schema: { type: 'array', items: { $ref: '#/components/schemas/Silence' } },
              },
            },
          },
          default: {
            description: 'A refusal.',
            content: {
              'application/json': {
                schema: {
                  anyOf: [
                    { type: 'string' },
                    {
                      type: 'object',
                      properties: { code: { type: 'integer' }, message: { type: 'string' } },
                      required: ['code', 'message'],
                    },
                  ],
                },
              },
            },
          },
        },
      },
      post: {
        operationId: 'postSilences',
        summary: 'Creates or changes a silence.',
        tags: ['alerts'],
        requestBody: {
          content: {
            'application/json': { schema: { $ref: '#/components/schemas/PostableSilence' } },
          },
        },
        responses: {
          '200': {
            description: 'Its id.',
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  properties: { silenceID: { type: 'string' } },
                  required: ['silenceID'],
                },
              },
            },
          },
          default: {
            description: 'A refusal.',
            content: {
              'application/json': {
                schema: {
                  anyOf: [
                    { type: 'string' },
                    {
                      type: 'object',
                      properties: { code: { type: 'integer' }, message: { type: 'string' } },
                      required: ['code', 'message'],
                    },
                  ],
                },
              },
            },
          },
        },
      },
    },
    '/api/v2/silence/{silenceID}': {
      get: {
        operationId: 'getSilence',
        summary: 'One silence.',
        tags: ['alerts'],
        parameters: [{ name: 'silenceID', in: 'path', required: true, schema: { type: 'string' } }],
        responses: {
          '200': {
            description: 'The silence.',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Silence' } } },
          },
          '404': { description: 'There is none with this id.' },
          default: {
            description: 'A refusal.',
            content: {
              'application/json': {
                schema: {
                  anyOf: [
                    { type: 'string' },
                    {
                      type: 'object',
                      properties: { code: { type: 'integer' }, message: { type: 'string' } },
                      required: ['code', 'message'],
                    },
                  ],
                },
              },
            },
          },
        },
      },
      delete: {
        operationId: 'deleteSilence',
        summary: 'Expires a silence now.',
        tags: ['alerts'],
        parameters: [{ name: 'silenceID', in: 'path', required: true, schema: { type: 'string' } }],
        responses: {
          '200': { description: 'Done.' },
          '404': { description: 'There is none with this id.' },
          default: {
            description: 'A refusal.',
            content: {
              'application/json': {
                schema: {
                  anyOf: [
                    { type: 'string' },
                    {
                      type: 'object',
                      properties: { code: { type: 'integer' }, message: { type: 'string' } },
                      required: ['code', 'message'],
                    },
                  ],
                },
              },
            },
          },
        },
      },
    },
    '/api/v2/swagger.json': {
      get: {
        operationId: 'getSwagger',
        summary: 'The description of this API as Alertmanager has it, Swagger 2.0.',
        tags: ['alerts'],
        responses: {
          '200': {
            description: 'The description.',
            content: {
              'application/json': {
                schema: { type: 'object', properties: {}, additionalProperties: {} },
              },
            },
          },
          default: {
            description: 'A refusal.',
            content: {
              'application/json': {
                schema: {
                  anyOf: [
                    { type: 'string' },
                    {
                      type: 'object',
                      properties: { code: { type: 'integer' }, message: { type: 'string' } },
                      required: ['code', 'message'],
                    },
                  ],
                },
              },
            },
          },
        },
      },
    },
    '/gatehouse/v1/notifications': {
      get: {
        operationId: 'getNotifications',
        summary: 'Decisions to notify or not. Only where a history is kept.',
        tags: ['alerts'],
        parameters: [
          { name: 'from', in: 'query', description: 'RFC 3339.', schema: { type: 'string' } },
          { name: 'to', in: 'query', description: 'RFC 3339.', schema: { type: 'string' } },
          { name: 'limit', in: 'query', schema: { type: 'integer' } },
          {
            name: 'after',
            in: 'query',
            description: 'The `next` of the page before.',
            schema: { type: 'string' },
          },
          { name: 'receiver', in: 'query', schema: { type: 'string' } },
          { name: 'groupKey', in: 'query', schema: { type: 'string' } },
          {
            name: 'integration',
            in: 'query',
            description: 'As `webhook/0`.',
            schema: { type: 'string' },
          },
          {
            name: 'fingerprint',
            in: 'query',
            description: 'Only those about this alert, among others.',
            schema: { type: 'string' },
          },
          {
            name: 'filter',
            in: 'query',
            description: 'Matchers. The labels of the group must match all.',
            schema: { type: 'array', items: { type: 'string' } },
          },
          {
            name: 'outcome',
            in: 'query',
            schema: { type: 'array', items: { $ref: '#/components/schemas/NotificationOutcome' } },
          },
        ],
        responses: {
          '200': {
            description: 'A page.',
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/NotificationHistory' } },
            },
          },
          default: {
            description: 'A refusal.',
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/AlertsFailure' } },
            },
          },
        },
      },
    },
    '/gatehouse/v1/notifications/{id}': {
      get: {
        operationId: 'getNotification',
        summary: 'A decision with its alerts, and its message rendered again.',
        tags: ['alerts'],
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
        responses: {
          '200': {
            description: 'The decision.',
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/NotificationDetails' } },
            },
          },
          '404': {
            description: 'The history has none with this id.',
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/AlertsFailure' } },
            },
          },
          default: {
            description: 'A refusal.',
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/AlertsFailure' } },
            },
          },
        },
      },
    },
    '/gatehouse/v1/notification-counts': {
      get: {
        operationId: 'getNotificationCounts',
        summary: 'Numbers of notifications by receiver and time. Only where a history is kept.',
        tags: ['alerts'],
        parameters: [
          {
            name: 'from',
            in: 'query',
            description: 'RFC 3339 (default: 24 hours before `to`).',
            schema: { type: 'string' },
          },
          {
            name: 'to',
            in: 'query',
            description: 'RFC 3339 (default now).',
            schema: { type: 'string' },
          },
          {
            name: 'parts',
            in: 'query',
            description: 'Into how many equal parts the time is divided, 1 to 200 (default 48).',
            schema: { type: 'integer' },
          },
          { name: 'receiver', in: 'query', schema: { type: 'string' } },
          {
            name: 'filter',
            in: 'query',
            description: 'Matchers. The labels of the group must match all.',
            schema: { type: 'array', items: { type: 'string' } },
          },
        ],
        responses: {
          '200': {
            description: 'The numbers.',
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/NotificationCounts' } },
            },
          },
          default: {
            description: 'A refusal.',
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/AlertsFailure' } },
            },
          },
        },
      },
    },
    '/gatehouse/v1/alert-history': {
      get: {
        operationId: 'getAlertHistory',
        summary: 'What happened to alerts. Only where a history is kept.',
        tags: ['alerts'],
        parameters: [
          { name: 'from', in: 'query', description: 'RFC 3339.', schema: { type: 'string' } },
          { name: 'to', in: 'query', description: 'RFC 3339.', schema: { type: 'string' } },
          { name: 'limit', in: 'query', schema: { type: 'integer' } },
          {
            name: 'after',
            in: 'query',
            description: 'The `next` of the page before.',
            schema: { type: 'string' },
          },
          {
            name: 'filter',
            in: 'query',
            description: 'Matchers, as `severity="critical"`. All must match.',
            schema: { type: 'array', items: { type: 'string' } },
          },
          { name: 'fingerprint', in: 'query', schema: { type: 'string' } },
          {
            name: 'event',
            in: 'query',
            schema: { type: 'array', items: { $ref: '#/components/schemas/AlertEventKind' } },
          },
        ],
        responses: {
          '200': {
            description: 'A page.',
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/AlertHistory' } },
            },
          },
          default: {
            description: 'A refusal.',
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/AlertsFailure' } },
            },
          },
        },
      },
    },
    '/gatehouse/v1/silence-history': {
      get: {
        operationId: 'getSilenceHistory',
        summary: 'What users did to silences. Only where a history is kept.',
        tags: ['alerts'],
        parameters: [
          { name: 'from', in: 'query', description: 'RFC 3339.', schema: { type: 'string' } },
          { name: 'to', in: 'query', description: 'RFC 3339.', schema: { type: 'string' } },
          { name: 'limit', in: 'query', schema: { type: 'integer' } },
          {
            name: 'after',
            in: 'query',
            description: 'The `next` of the page before.',
            schema: { type: 'string' },
          },
          { name: 'silenceId', in: 'query', schema: { type: 'string' } },
          {
            name: 'event',
            in: 'query',
            schema: { type: 'array', items: { $ref: '#/components/schemas/SilenceEventKind' } },
          },
        ],
        responses: {
          '200': {
            description: 'A page.',
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/SilenceHistory' } },
            },
          },
          default: {
            description: 'A refusal.',
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/AlertsFailure' } },
            },
          },
        },
      },
    },
    '/gatehouse/v1/silence-preview': {
      post: {
        operationId: 'postSilencePreview',
        summary: 'What a silence would cover. Stores nothing.',
        tags: ['alerts'],
        requestBody: {
          content: {
            'application/json': { schema: { $ref: '#/components/schemas/SilencePreviewRequest' } },
          },
        },
        responses: {
          '200': {
            description: 'The alerts.',
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/SilencePreview' } },
            },
          },
          default: {
            description: 'A refusal.',
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/AlertsFailure' } },
            },
          },
        },
      },
    },
    '/gatehouse/v1/affected-alerts': {
      get: {
        operationId: 'getAffectedAlerts',
        summary: 'The alerts that fired while a silence covered them.',
        tags: ['alerts'],
        parameters: [
          { name: 'silenceId', in: 'query', required: true, schema: { type: 'string' } },
        ],
        responses: {
          '200': {
            description: 'The alerts.',
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/AffectedAlerts' } },
            },
          },
          '404': {
            description: 'There is no silence with this id.',
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/AlertsFailure' } },
            },
          },
          default: {
            description: 'A refusal.',
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/AlertsFailure' } },
            },
          },
        },
      },
    },
    '/gatehouse/v1/recurring-silences': {
      get: {
        operationId: 'getRecurringSilences',
        summary: 'Recurring silences.',
        tags: ['alerts'],
        responses: {
          '200': {
            description: 'The recurring silences.',
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/RecurringSilences' } },
            },
          },
          default: {
            description: 'A refusal.',
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/AlertsFailure' } },
            },
          },
        },
      },
      post: {
        operationId: 'postRecurringSilences',
        summary: 'Creates a recurring silence.',
        tags: ['alerts'],
        requestBody: {
          content: {
            'application/json': {
              schema: { $ref: '#/components/schemas/PostableRecurringSilence' },
            },
          },
        },
        responses: {
          '200': {
            description: 'It.',
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/RecurringSilence' } },
            },
          },
          default: {
            description: 'A refusal.',
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/AlertsFailure' } },
            },
          },
        },
      },
    },
    '/gatehouse/v1/recurring-silences/{id}': {
      delete: {
        operationId: 'deleteRecurringSilence',
        summary: 'Deletes a recurring silence, and ends its present silence.',
        tags: ['alerts'],
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
        responses: {
          '200': { description: 'Done.' },
          '404': {
            description: 'There is none with this id.',
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/AlertsFailure' } },
            },
          },
          default: {
            description: 'A refusal.',
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/AlertsFailure' } },
            },
          },
        },
      },
    },
    '/gatehouse/v1/recurrence-preview': {
      post: {
        operationId: 'postRecurrencePreview',
        summary: 'The next ten occurrences of time intervals.',
        tags: ['alerts'],
        requestBody: {
          content: {
            'application/json': {
              schema: { $ref: '#/components/schemas/RecurrencePreviewRequest' },
            },
          },
        },
        responses: {
          '200': {
            description: 'The occurrences.',
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/RecurrencePreview' } },
            },
          },
          default: {
            description: 'A refusal.',
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/AlertsFailure' } },
            },
          },
        },
      },
    },
    '/gatehouse/v1/silence-extensions': {
      post: {
        operationId: 'postSilenceExtensions',
        summary: 'Lets a silence end later.',
        tags: ['alerts'],
        requestBody: {
          content: {
            'application/json': { schema: { $ref: '#/components/schemas/SilenceExtension' } },
          },
        },
        responses: {
          '200': {
            description: 'The silence.',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Silence' } } },
          },
          '404': {
            description: 'There is none with this id.',
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/AlertsFailure' } },
            },
          },
          default: {
            description: 'A refusal.',
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/AlertsFailure' } },
            },
          },
        },
      },
    },
    '/gatehouse/v1/acknowledgements': {
      get: {
        operationId: 'getAcknowledgements',
        summary: 'Acknowledged alerts.',
        tags: ['alerts'],
        parameters: [
          {
            name: 'filter',
            in: 'query',
            description: 'Matchers, as `severity="critical"`. All must match.',
            schema: { type: 'array', items: { type: 'string' } },
          },
          { name: 'limit', in: 'query', schema: { type: 'integer' } },
          {
            name: 'after',
            in: 'query',
            description: 'The `next` of the page before.',
            schema: { type: 'string' },
          },
        ],
        responses: {
          '200': {
            description: 'A page.',
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/Acknowledgements' } },
            },
          },
          default: {
            description: 'A refusal.',
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/AlertsFailure' } },
            },
          },
        },
      },
      post: {
        operationId: 'postAcknowledgements',
        summary: 'Acknowledges an alert, or all firing alerts of a group.',
        tags: ['alerts'],
        requestBody: {
          content: {
            'application/json': {
              schema: { $ref: '#/components/schemas/PostableAcknowledgement' },
            },
          },
        },
        responses: {
          '200': {
            description: 'The alerts.',
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/Fingerprints' } },
            },
          },
          default: {
            description: 'A refusal.',
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/AlertsFailure' } },
            },
          },
        },
      },
      delete: {
        operationId: 'deleteAcknowledgements',
        summary: 'Takes the acknowledgement of an alert, or of all firing alerts of a group, back.',
        tags: ['alerts'],
        parameters: [
          {
            name: 'fingerprint',
            in: 'query',
            description: 'The alert.',
            schema: { type: 'string' },
          },
          {
            name: 'groupKey',
            in: 'query',
            description: 'All firing alerts of a group, instead.',
            schema: { type: 'string' },
          },
          {
            name: 'receiver',
            in: 'query',
            description: 'Only the group of this receiver.',
            schema: { type: 'string' },
          },
          {
            name: 'by',
            in: 'query',
            description: 'The person, for the history.',
            schema: { type: 'string' },
          },
        ],
        responses: {
          '200': {
            description: 'The alerts that were acknowledged.',
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/Fingerprints' } },
            },
          },
          default: {
            description: 'A refusal.',
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/AlertsFailure' } },
            },
          },
        },
      },
    },
    '/gatehouse/v1/alerts': {
      get: {
        operationId: 'getAlertsPage',
        summary: 'A page of the firing alerts, sorted.',
        tags: ['alerts'],
        parameters: [
          {
            name: 'filter',
            in: 'query',
            description: 'Matchers, as `severity="critical"`. All must match.',
            schema: { type: 'array', items: { type: 'string' } },
          },
          {
            name: 'receiver',
            in: 'query',
            description: 'A regular expression for the whole name of a receiver.',
            schema: { type: 'string' },
          },
          {
            name: 'active',
            in: 'query',
            description: 'Whether alerts that nothing suppresses are listed.',
            schema: { default: true, type: 'boolean' },
          },
          {
            name: 'silenced',
            in: 'query',
            description: 'Whether silenced alerts are listed.',
            schema: { default: true, type: 'boolean' },
          },
          {
            name: 'inhibited',
            in: 'query',
            description: 'Whether inhibited alerts are listed.',
            schema: { default: true, type: 'boolean' },
          },
          {
            name: 'receiverMatchers',
            in: 'query',
            description: 'Matchers for labels of receivers.',
            schema: { type: 'array', items: { type: 'string' } },
          },
          {
            name: 'group',
            in: 'query',
            description: 'Only alerts of the group with this id.',
            schema: { type: 'string' },
          },
          {
            name: 'sort',
            in: 'query',
            description:
              '`fingerprint` (default), `startsAt`, `endsAt`, `updatedAt`, `severity` or `labels.NAME`. Descending with `-` in front.',
            schema: { type: 'string' },
          },
          {
            name: 'limit',
            in: 'query',
            description: 'From 1 to 1,000 (default 100).',
            schema: { type: 'integer' },
          },
          {
            name: 'after',
            in: 'query',
            description: 'The `next` of the page before.',
            schema: { type: 'string' },
          },
          {
            name: 'fields',
            in: 'query',
            description: 'Only these properties of each item.',
            schema: { type: 'array', items: { type: 'string' } },
          },
          {
            name: 'if-none-match',
            in: 'header',
            description: 'The `ETag` of the page that the client has.',
            schema: { type: 'string' },
          },
        ],
        responses: {
          '200': {
            description: 'A page.',
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/AlertsPage' } },
            },
          },
          '304': { description: 'The client has this page.' },
          default: {
            description: 'A refusal.',
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/AlertsFailure' } },
            },
          },
        },
      },
    },
    '/gatehouse/v1/alert-groups': {
      get: {
        operationId: 'getAlertGroupsPage',
        summary: 'A page of the alert groups without their alerts, sorted.',
        tags: ['alerts'],
        parameters: [
          {
            name: 'filter',
            in: 'query',
            description: 'Matchers, as `severity="critical"`. All must match.',
            schema: { type: 'array', items: { type: 'string' } },
          },
          {
            name: 'receiver',
            in: 'query',
            description: 'A regular expression for the whole name of a receiver.',
            schema: { type: 'string' },
          },
          {
            name: 'active',
            in: 'query',
            description: 'Whether alerts that nothing suppresses are listed.',
            schema: { default: true, type: 'boolean' },
          },
          {
            name: 'silenced',
            in: 'query',
            description: 'Whether silenced alerts are listed.',
            schema: { default: true, type: 'boolean' },
          },
          {
            name: 'inhibited',
            in: 'query',
            description: 'Whether inhibited alerts are listed.',
            schema: { default: true, type: 'boolean' },
          },
          {
            name: 'receiverMatchers',
            in: 'query',
            description: 'Matchers for labels of receivers.',
            schema: { type: 'array', items: { type: 'string' } },
          },
          {
            name: 'muted',
            in: 'query',
            description: 'Whether groups that a time interval mutes are listed.',
            schema: { default: true, type: 'boolean' },
          },
          {
            name: 'sort',
            in: 'query',
            description:
              '`groupKey` (default), `receiver`, `startsAt`, `alerts` or `labels.NAME`. Descending with `-` in front.',
            schema: { type: 'string' },
          },
          {
            name: 'limit',
            in: 'query',
            description: 'From 1 to 1,000 (default 100).',
            schema: { type: 'integer' },
          },
          {
            name: 'after',
            in: 'query',
            description: 'The `next` of the page before.',
            schema: { type: 'string' },
          },
          {
            name: 'fields',
            in: 'query',
            description: 'Only these properties of each item.',
            schema: { type: 'array', items: { type: 'string' } },
          },
          {
            name: 'if-none-match',
            in: 'header',
            description: 'The `ETag` of the page that the client has.',
            schema: { type: 'string' },
          },
        ],
        responses: {
          '200': {
            description: 'A page.',
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/AlertGroupsPage' } },
            },
          },
          '304': { description: 'The client has this page.' },
          default: {
            description: 'A refusal.',
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/AlertsFailure' } },
            },
          },
        },
      },
    },
    '/gatehouse/v1/silences': {
      get: {
        operationId: 'getSilencesPage',
        summary: 'A page of the silences, sorted.',
        tags: ['alerts'],
        parameters: [
          {
            name: 'filter',
            in: 'query',
            description: 'Matchers, as `severity="critical"`. All must match.',
            schema: { type: 'array', items: { type: 'string' } },
          },
          {
            name: 'active',
            in: 'query',
            description: 'Whether active silences are listed.',
            schema: { default: true, type: 'boolean' },
          },
          {
            name: 'pending',
            in: 'query',
            description: 'Whether pending silences are listed.',
            schema: { default: true, type: 'boolean' },
          },
          {
            name: 'expired',
            in: 'query',
            description: 'Whether expired silences are listed.',
            schema: { default: true, type: 'boolean' },
          },
          {
            name: 'sort',
            in: 'query',
            description:
              '`state` (default), `startsAt`, `endsAt`, `updatedAt` or `createdBy`. Descending with `-` in front.',
            schema: { type: 'string' },
          },
          {
            name: 'limit',
            in: 'query',
            description: 'From 1 to 1,000 (default 100).',
            schema: { type: 'integer' },
          },
          {
            name: 'after',
            in: 'query',
            description: 'The `next` of the page before.',
            schema: { type: 'string' },
          },
          {
            name: 'fields',
            in: 'query',
            description: 'Only these properties of each item.',
            schema: { type: 'array', items: { type: 'string' } },
          },
          {
            name: 'if-none-match',
            in: 'header',
            description: 'The `ETag` of the page that the client has.',
            schema: { type: 'string' },
          },
        ],
        responses: {
          '200': {
            description: 'A page.',
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/SilencesPage' } },
            },
          },
          '304': { description: 'The client has this page.' },
          default: {
            description: 'A refusal.',
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/AlertsFailure' } },
            },
          },
        },
      },
    },
    '/gatehouse/v1/changes': {
      get: {
        operationId: 'getAlertsChanges',
        summary: 'The changes of alerts, groups, silences and history, as they happen.',
        tags: ['alerts'],
        parameters: [
          {
            name: 'types',
            in: 'query',
            description: 'Default: alerts, alert-groups, silences.',
            schema: { type: 'array', items: { $ref: '#/components/schemas/ChangeTopic' } },
          },
          {
            name: 'filter',
            in: 'query',
            description: 'Matchers, as `severity="critical"`. All must match.',
            schema: { type: 'array', items: { type: 'string' } },
          },
          {
            name: 'since',
            in: 'query',
            description: 'The `id` of the last known event, without the header.',
            schema: { type: 'string' },
          },
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
          '503': {
            description: 'Too many streams are open.',
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/AlertsFailure' } },
            },
          },
          default: {
            description: 'A refusal.',
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/AlertsFailure' } },
            },
          },
        },
      },
    },
    '/gatehouse/v1/explain': {
      post: {
        operationId: 'postExplain',
        summary: 'What happens to an alert, and why. Stores nothing.',
        tags: ['alerts'],
        requestBody: {
          content: {
            'application/json': { schema: { $ref: '#/components/schemas/ExplanationRequest' } },
          },
        },
        responses: {
          '200': {
            description: 'The explanation.',
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/Explanation' } },
            },
          },
          default: {
            description: 'A refusal.',
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/AlertsFailure' } },
            },
          },
        },
      },
    },
    '/gatehouse/v1/config-preview': {
      post: {
        operationId: 'postConfigPreview',
        summary:
          'What is wrong with a draft of the configuration, and which alerts would be routed differently.',
        tags: ['alerts'],
        requestBody: {
          content: {
            'application/json': { schema: { $ref: '#/components/schemas/ConfigPreviewRequest' } },
          },
        },
        responses: {
          '200': {
            description: 'The result.',
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/ConfigPreview' } },
            },
          },
          default: {
            description: 'A refusal.',
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/AlertsFailure' } },
            },
          },
        },
      },
    },
    '/gatehouse/v1/routes': {
      get: {
        operationId: 'getRoutes',
        summary: 'The routing tree, with the numbers of firing alerts.',
        tags: ['alerts'],
        responses: {
          '200': {
            description: 'The root.',
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/ListedRoute' } },
            },
          },
          default: {
            description: 'A refusal.',
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/AlertsFailure' } },
            },
          },
        },
      },
    },
    '/gatehouse/v1/expected-alerts': {
      get: {
        operationId: 'getExpectedAlerts',
        summary: 'Alerts that must keep coming, and whether they do.',
        tags: ['alerts'],
        responses: {
          '200': {
            description: 'The expected alerts.',
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/ExpectedAlerts' } },
            },
          },
          default: {
            description: 'A refusal.',
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/AlertsFailure' } },
            },
          },
        },
      },
    },
    '/gatehouse/v1/server-status': {
      get: {
        operationId: 'getServerStatus',
        summary: 'The storage, the history, the processes and the problems of the server.',
        tags: ['alerts'],
        responses: {
          '200': {
            description: 'The state.',
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/ServerStatus' } },
            },
          },
          default: {
            description: 'A refusal.',
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/AlertsFailure' } },
            },
          },
        },
      },
    },
    '/gatehouse/v1/receiver-tests': {
      post: {
        operationId: 'postReceiverTests',
        summary: 'Really sends a test notification through each integration of a receiver, once.',
        tags: ['alerts'],
        requestBody: {
          content: {
            'application/json': { schema: { $ref: '#/components/schemas/ReceiverTestRequest' } },
          },
        },
        responses: {
          '200': {
            description: 'How it ended.',
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/ReceiverTest' } },
            },
          },
          '404': {
            description: 'There is no receiver with this name.',
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/AlertsFailure' } },
            },
          },
          default: {
            description: 'A refusal.',
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/AlertsFailure' } },
            },
          },
        },
      },
    },
    '/gatehouse/v1/me': {
      get: {
        operationId: 'getMe',
        summary: 'Who sends the request, and what it may do.',
        tags: ['alerts'],
        parameters: [
          {
            name: 'signIn',
            in: 'query',
            description:
              'Whether an unknown sender gets 401, so that a browser asks for a password.',
            schema: { type: 'boolean' },
          },
        ],
        responses: {
          '200': {
            description: 'The sender.',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/WhoAmI' } } },
          },
          default: {
            description: 'A refusal.',
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/AlertsFailure' } },
            },
          },
        },
      },
    },
    '/-/healthy': {
      get: {
        operationId: 'getAlertsHealth',
        summary: 'Whether the process lives.',
        tags: ['alerts'],
        responses: {
          '200': { description: 'OK.', content: { 'text/plain': { schema: { type: 'string' } } } },
          default: {
            description: 'Not OK.',
            content: { 'text/plain': { schema: { type: 'string' } } },
          },
        },
      },
    },
    '/-/ready': {
      get: {
        operationId: 'getAlertsReadiness',
        summary: 'Whether the service can work.',
        tags: ['alerts'],
        responses: {
          '200': { description: 'OK.', content: { 'text/plain': { schema: { type: 'string' } } } },
          default: {
            description: 'Not OK.',
            content: { 'text/plain': { schema: { type: 'string' } } },
          },
        },
      },
    },
    '/-/reload': {
      post: {
        operationId: 'reloadAlerts',
        summary: 'Reads the configuration again.',
        tags: ['alerts'],
        responses: {
          '200': { description: 'OK.', content: { 'text/plain': { schema: { type: 'string' } } } },
          default: {
            description: 'Not OK.',
            content: { 'text/plain': { schema: { type: 'string' } } },
          },
        },
      },
    },
    '/metrics': {
      get: {
        operationId: 'getAlertsMetrics',
        summary: 'Metrics in the text format of Prometheus.',
        tags: ['alerts'],
        responses: {
          '200': { description: 'OK.', content: { 'text/plain': { schema: { type: 'string' } } } },
          default: {
            description: 'Not OK.',
            content: { 'text/plain': { schema: { type: 'string' } } },
          },
        },
      },
    },
  },
  schemas: {
    AccessAction: {
      type: 'string',
      enum: [
        'alerts:read',
        'alerts:post',
        'alerts:acknowledge',
        'silences:write',
        'silences:write-others',
        'receivers:test',
        'config:read',
        'config:reload',
        'metrics:read',
        'webhooks:read',
        'webhooks:run',
        'webhooks:cancel',
        'users:manage',
      ],
      description: 'What a request can do.',
    },
    AcknowledgedAlert: {
      type: 'object',
      properties: {
        fingerprint: { type: 'string' },
        labels: { $ref: '#/components/schemas/LabelSet' },
        by: { type: 'string' },
        comment: { type: 'string' },
        since: { type: 'string', format: 'date-time' },
        until: {
          description: 'When it ends. Absent: when the alert resolves.',
          type: 'string',
          format: 'date-time',
        },
      },
      required: ['fingerprint', 'labels', 'by', 'comment', 'since'],
      description: 'A firing alert that is acknowledged.',
    },
    Acknowledgement: {
      type: 'object',
      properties: {
        by: { type: 'string' },
        comment: { type: 'string' },
        since: { type: 'string', format: 'date-time' },
        until: {
          description: 'When it ends. Absent: when the alert resolves.',
          type: 'string',
          format: 'date-time',
        },
      },
      required: ['by', 'comment', 'since'],
      description: 'Who takes care of an alert.',
    },
    Acknowledgements: {
      type: 'object',
      properties: {
        items: { type: 'array', items: { $ref: '#/components/schemas/AcknowledgedAlert' } },
        next: { description: 'The `after` of the next page. Absent at the end.', type: 'string' },
      },
      required: ['items'],
      description: 'A page of alerts, the last acknowledged first.',
    },
    AffectedAlert: {
      type: 'object',
      properties: {
        fingerprint: { type: 'string' },
        labels: { $ref: '#/components/schemas/LabelSet' },
      },
      required: ['fingerprint', 'labels'],
      description: 'An alert that a silence has covered.',
    },
    AffectedAlerts: {
      type: 'object',
      properties: {
        items: {
          type: 'array',
          items: { $ref: '#/components/schemas/AffectedAlert' },
          description: 'At most 1,000.',
        },
        total: { type: 'integer' },
        isWhole: {
          type: 'boolean',
          description: 'Whether the history goes back to the start of the silence.',
        },
      },
      required: ['items', 'total', 'isWhole'],
      description: 'The alerts that a silence has covered.',
    },
    Alert: {
      type: 'object',
      properties: {
        labels: { $ref: '#/components/schemas/LabelSet' },
        annotations: { $ref: '#/components/schemas/LabelSet' },
        generatorURL: { type: 'string' },
        receivers: { type: 'array', items: { $ref: '#/components/schemas/Receiver' } },
        fingerprint: { type: 'string' },
        startsAt: { type: 'string', format: 'date-time' },
        updatedAt: { type: 'string', format: 'date-time' },
        endsAt: { type: 'string', format: 'date-time' },
        status: { $ref: '#/components/schemas/AlertStatus' },
        acknowledgement: { $ref: '#/components/schemas/Acknowledgement' },
      },
      required: [
        'labels',
        'annotations',
        'receivers',
        'fingerprint',
        'startsAt',
        'updatedAt',
        'endsAt',
        'status',
      ],
      description: 'A firing alert.',
    },
    AlertEvent: {
      type: 'object',
      properties: {
        id: { type: 'string' },
        at: { type: 'string', format: 'date-time' },
        event: { $ref: '#/components/schemas/AlertEventKind' },
        fingerprint: { type: 'string' },
        labels: { $ref: '#/components/schemas/LabelSet' },
        annotations: { $ref: '#/components/schemas/LabelSet' },
        generatorURL: { type: 'string' },
        startsAt: { type: 'string', format: 'date-time' },
        endsAt: { description: 'Of an alert that has ended.', type: 'string', format: 'date-time' },
        by: { description: 'Who acknowledged the alert, or took that back.', type: 'string' },
        comment: { description: 'Of an acknowledgement.', type: 'string' },
        until: { description: 'Of an acknowledgement.', type: 'string', format: 'date-time' },
      },
      required: ['id', 'at', 'event', 'fingerprint', 'labels', 'annotations', 'startsAt'],
      description: 'Something that happened to an alert.',
    },
    AlertEventKind: {
      type: 'string',
      enum: ['firing', 'changed', 'resolved', 'expired', 'acknowledged', 'unacknowledged'],
      description: 'What happened to an alert.',
    },
    AlertGroup: {
      type: 'object',
      properties: {
        labels: { $ref: '#/components/schemas/LabelSet' },
        receiver: { $ref: '#/components/schemas/Receiver' },
        routeLabels: { $ref: '#/components/schemas/LabelSet' },
        alerts: { type: 'array', items: { $ref: '#/components/schemas/Alert' } },
      },
      required: ['labels', 'receiver', 'alerts'],
      description: 'Alerts that are notified together.',
    },
    AlertGroupSummary: {
      type: 'object',
      properties: {
        id: { type: 'string' },
        groupKey: {
          type: 'string',
          description: 'As in notifications. Groups of several routes may share it.',
        },
        labels: { $ref: '#/components/schemas/LabelSet' },
        receiver: { $ref: '#/components/schemas/Receiver' },
        mutedBy: {
          type: 'array',
          items: { type: 'string' },
          description: 'Names of time intervals.',
        },
        counts: {
          type: 'object',
          properties: {
            all: { type: 'integer' },
            active: { type: 'integer' },
            suppressed: { type: 'integer' },
          },
          required: ['all', 'active', 'suppressed'],
        },
        startsAt: {
          type: 'string',
          format: 'date-time',
          description: 'The earliest start of its alerts.',
        },
      },
      required: ['id', 'groupKey', 'labels', 'receiver', 'mutedBy', 'counts', 'startsAt'],
      description: 'An alert group without its alerts.',
    },
    AlertGroupsPage: {
      type: 'object',
      properties: {
        items: {
          type: 'array',
          items: { $ref: '#/components/schemas/AlertGroupSummary' },
          description: 'With `fields`, only with these properties.',
        },
        total: { type: 'integer', description: 'The number of items on all pages.' },
        next: { description: 'The `after` of the next page. Absent at the end.', type: 'string' },
      },
      required: ['items', 'total'],
      description: 'A page of the alert groups.',
    },
    AlertHistory: {
      type: 'object',
      properties: {
        items: {
          type: 'array',
          items: { $ref: '#/components/schemas/AlertEvent' },
          description: 'May be fewer than the limit, or none, although there are more.',
        },
        next: { description: 'The `after` of the next page. Absent at the end.', type: 'string' },
      },
      required: ['items'],
      description: 'A page of events of alerts, newest first.',
    },
    AlertStatus: {
      type: 'object',
      properties: {
        state: { type: 'string', enum: ['unprocessed', 'active', 'suppressed'] },
        silencedBy: { type: 'array', items: { type: 'string' }, description: 'Ids of silences.' },
        inhibitedBy: {
          type: 'array',
          items: { type: 'string' },
          description: 'Fingerprints of alerts.',
        },
        mutedBy: {
          type: 'array',
          items: { type: 'string' },
          description: 'Names of time intervals.',
        },
      },
      required: ['state', 'silencedBy', 'inhibitedBy', 'mutedBy'],
      description: 'Whether an alert is suppressed, and by what.',
    },
    AlertsFailure: {
      type: 'object',
      properties: {
        reason: { $ref: '#/components/schemas/AlertsReason' },
        message: { type: 'string', description: 'For people: may change.' },
        info: { description: 'Details for programs.', type: 'object', additionalProperties: {} },
      },
      required: ['reason', 'message'],
      description: 'Why a request was refused.',
    },
    AlertsPage: {
      type: 'object',
      properties: {
        items: {
          type: 'array',
          items: { $ref: '#/components/schemas/Alert' },
          description: 'With `fields`, only with these properties.',
        },
        total: { type: 'integer', description: 'The number of items on all pages.' },
        next: { description: 'The `after` of the next page. Absent at the end.', type: 'string' },
      },
      required: ['items', 'total'],
      description: 'A page of the firing alerts.',
    },
    AlertsReason: {
      type: 'string',
      enum: [
        'InvalidInput',
        'InvalidQuery',
        'InvalidPageQuery',
        'InvalidHistoryQuery',
        'InvalidChangesQuery',
        'InvalidMatcher',
        'InvalidReceiver',
        'InvalidReceiverMatchers',
        'TooManyFilters',
        'UnparsableBody',
        'UnsupportedMediaType',
        'BodyTooLarge',
        'BodyUnreadable',
        'MethodNotAllowed',
        'NotFound',
        'Forbidden',
        'NotAuthenticated',
        'NotAllowed',
        'AlertNotFound',
        'AlertGroupNotFound',
        'NotificationNotFound',
        'ReceiverNotFound',
        'SilenceNotFound',
        'RecurringSilenceNotFound',
        'InvalidAcknowledgement',
        'InvalidSilence',
        'SilenceLimitExceeded',
        'ServerBusy',
        'TooManyRequests',
        'HostNotAllowed',
        'TooManyListeners',
        'TimedOut',
        'DecisionQueueFull',
        'ServiceClosing',
        'StorageClosed',
        'StorageConflict',
        'StorageUnavailable',
        'UnexpectedError',
      ],
      description: 'Why a request below `/gatehouse/v1` was refused.',
    },
    AlertsStatus: {
      type: 'object',
      properties: {
        cluster: {
          type: 'object',
          properties: {
            name: { type: 'string' },
            status: { type: 'string', enum: ['ready', 'settling', 'disabled'] },
            peers: {
              type: 'array',
              items: {
                type: 'object',
                properties: { name: { type: 'string' }, address: { type: 'string' } },
                required: ['name', 'address'],
              },
            },
          },
          required: ['status'],
        },
        versionInfo: {
          type: 'object',
          properties: {
            version: { type: 'string' },
            revision: { type: 'string' },
            branch: { type: 'string' },
            buildUser: { type: 'string' },
            buildDate: { type: 'string' },
            goVersion: { type: 'string' },
          },
          required: ['version', 'revision', 'branch', 'buildUser', 'buildDate', 'goVersion'],
        },
        config: {
          type: 'object',
          properties: { original: { type: 'string', description: 'YAML, with secrets masked.' } },
          required: ['original'],
        },
        uptime: { type: 'string', format: 'date-time', description: 'When the service started.' },
      },
      required: ['cluster', 'versionInfo', 'config', 'uptime'],
      description: 'The state of the service.',
    },
    ChangeTopic: {
      type: 'string',
      enum: [
        'alerts',
        'alert-groups',
        'silences',
        'alert-history',
        'silence-history',
        'notifications',
      ],
      description: 'A list that a stream of changes follows.',
    },
    ConfigPreview: {
      type: 'object',
      properties: {
        problems: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              line: { type: 'number' },
              column: { type: 'number' },
              message: { type: 'string' },
            },
            required: ['line', 'column', 'message'],
          },
        },
        warnings: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              line: { type: 'number' },
              column: { type: 'number' },
              message: { type: 'string' },
            },
            required: ['line', 'column', 'message'],
          },
          description: 'Probable mistakes: `<secret>`, which stands in place of a secret.',
        },
        difference: {
          description: 'Absent if there are problems.',
          $ref: '#/components/schemas/RouteDifference',
        },
        isWhole: {
          type: 'boolean',
          description: 'Whether the whole history of that time was searched.',
        },
      },
      required: ['problems', 'warnings', 'isWhole'],
      description: 'What is wrong with a draft, or what would change.',
    },
    ConfigPreviewRequest: {
      type: 'object',
      properties: {
        config: {
          type: 'string',
          description: 'The text of `alertmanager.yml`. References are not resolved.',
        },
        historyMs: {
          description:
            'Compares the alerts that fired since so many ms, too. Default: only those of now.',
          type: 'integer',
        },
      },
      required: ['config'],
      description: 'A draft of the configuration.',
    },
    ExpectedAlert: {
      type: 'object',
      properties: {
        name: { type: 'string' },
        matchers: { type: 'array', items: { type: 'string' } },
        everyMs: { type: 'number' },
        state: { $ref: '#/components/schemas/ExpectedState' },
        seenAt: {
          description: 'When the last one came. May be a minute old.',
          type: 'string',
          format: 'date-time',
        },
        dueAt: {
          description: 'When their alert fires unless one comes.',
          type: 'string',
          format: 'date-time',
        },
        fingerprint: {
          type: 'string',
          description: 'Of the alert that fires while they are missing.',
        },
      },
      required: ['name', 'matchers', 'everyMs', 'state', 'fingerprint'],
      description: 'An alert that must keep coming.',
    },
    ExpectedAlerts: {
      type: 'object',
      properties: {
        items: { type: 'array', items: { $ref: '#/components/schemas/ExpectedAlert' } },
      },
      required: ['items'],
      description: 'All expected alerts.',
    },
    ExpectedState: {
      type: 'string',
      enum: ['present', 'waiting', 'missing', 'unwatched'],
      description:
        'Whether expected alerts come: `waiting` before the first one, `missing` while their alert fires, `unwatched` if no process watches.',
    },
    ExplainedGroup: {
      type: 'object',
      properties: {
        id: { type: 'string', description: 'As in lists of groups.' },
        nextFlushAt: {
          description:
            'When it is flushed next. Absent while it has no alert, or if nothing dispatches.',
          type: 'string',
          format: 'date-time',
        },
        integrations: {
          type: 'array',
          items: { $ref: '#/components/schemas/ExplainedIntegration' },
        },
      },
      required: ['id', 'integrations'],
      description: 'The group of an alert at a route.',
    },
    ExplainedInhibition: {
      type: 'object',
      properties: {
        rule: { type: 'number', description: 'The index of the rule among the inhibit rules.' },
        name: { type: 'string' },
        sourceMatchers: { type: 'array', items: { type: 'string' } },
        targetMatchers: { type: 'array', items: { type: 'string' } },
        equal: {
          description: 'The labels that both alerts share.',
          $ref: '#/components/schemas/LabelSet',
        },
        sourceFingerprint: { type: 'string' },
        sourceLabels: { $ref: '#/components/schemas/LabelSet' },
      },
      required: [
        'rule',
        'sourceMatchers',
        'targetMatchers',
        'equal',
        'sourceFingerprint',
        'sourceLabels',
      ],
      description: 'An alert that inhibits another.',
    },
    ExplainedIntegration: {
      type: 'object',
      properties: {
        integration: { type: 'string', description: 'As `webhook/0`.' },
        lastNotifiedAt: { type: 'string', format: 'date-time' },
        knows: { type: 'boolean', description: 'Whether it was notified that the alert fires.' },
        sendResolved: {
          type: 'boolean',
          description: 'Whether it is notified of the end of alerts.',
        },
        repeatsAt: {
          description:
            'The next flush after this instant notifies of the group again, although nothing changes.',
          type: 'string',
          format: 'date-time',
        },
        limitedBy: {
          description: 'The rate limit that keeps notifications about the group back.',
          type: 'string',
        },
        limitedUntil: {
          description: 'When that limit allows one more, or has allowed one.',
          type: 'string',
          format: 'date-time',
        },
        summarized: {
          description: 'Whether summaries are sent about the group, until its alerts are resolved.',
          type: 'boolean',
        },
      },
      required: ['integration', 'knows', 'sendResolved'],
      description: 'What an integration of a receiver knows about an alert.',
    },
    ExplainedNext: {
      type: 'object',
      properties: {
        what: { type: 'string', enum: ['notification', 'repetition', 'nothing'] },
        at: { description: 'When, unless something changes.', type: 'string', format: 'date-time' },
        because: { type: 'string' },
      },
      required: ['what', 'because'],
      description: 'What happens next to an alert at a route.',
    },
    ExplainedRoute: {
      type: 'object',
      properties: {
        id: {
          type: 'string',
          description: 'As in the routing tree. Those of its parents are its beginnings.',
        },
        receiver: { type: 'string' },
        path: {
          type: 'array',
          items: { type: 'string' },
          description: 'The matchers of each route from the root to this one.',
        },
        continued: {
          type: 'boolean',
          description: 'Whether an earlier route with `continue` took the alert, too.',
        },
        groupLabels: { $ref: '#/components/schemas/LabelSet' },
        groupKey: { type: 'string' },
        routeLabels: { $ref: '#/components/schemas/LabelSet' },
        groupWaitMs: { type: 'number' },
        groupIntervalMs: { type: 'number' },
        repeatIntervalMs: { type: 'number' },
        mutedBy: {
          type: 'array',
          items: { type: 'string' },
          description: 'Time intervals that mute the group now.',
        },
        group: { $ref: '#/components/schemas/ExplainedGroup' },
        next: { $ref: '#/components/schemas/ExplainedNext' },
      },
      required: [
        'id',
        'receiver',
        'path',
        'continued',
        'groupLabels',
        'groupKey',
        'routeLabels',
        'groupWaitMs',
        'groupIntervalMs',
        'repeatIntervalMs',
        'mutedBy',
        'next',
      ],
      description: 'A route that an alert takes.',
    },
    Explanation: {
      type: 'object',
      properties: {
        labels: { $ref: '#/components/schemas/LabelSet' },
        fingerprint: { type: 'string' },
        firing: { type: 'boolean' },
        state: { type: 'string', enum: ['active', 'suppressed'] },
        routes: { type: 'array', items: { $ref: '#/components/schemas/ExplainedRoute' } },
        silencedBy: { type: 'array', items: { $ref: '#/components/schemas/Silence' } },
        inhibitedBy: { $ref: '#/components/schemas/ExplainedInhibition' },
        acknowledgement: { $ref: '#/components/schemas/Acknowledgement' },
        notifications: {
          description: 'The newest first, at most 20. Absent if no history is kept.',
          type: 'array',
          items: { $ref: '#/components/schemas/Notification' },
        },
        reasons: {
          type: 'array',
          items: { type: 'string' },
          description: 'The same in sentences.',
        },
      },
      required: ['labels', 'fingerprint', 'firing', 'state', 'routes', 'silencedBy', 'reasons'],
      description: 'What happens to an alert, and why.',
    },
    ExplanationRequest: {
      type: 'object',
      properties: { labels: { $ref: '#/components/schemas/LabelSet' } },
      required: ['labels'],
      description: 'The labels of an alert, stored or not.',
    },
    Fingerprints: {
      type: 'object',
      properties: {
        items: {
          type: 'array',
          items: {
            type: 'object',
            properties: { fingerprint: { type: 'string' } },
            required: ['fingerprint'],
          },
        },
      },
      required: ['items'],
      description: 'Alerts.',
    },
    LabelSet: {
      type: 'object',
      additionalProperties: { type: 'string' },
      description: 'Labels or annotations, by name.',
    },
    ListedRoute: {
      type: 'object',
      properties: {
        id: { type: 'string' },
        receiver: { type: 'string' },
        matchers: { type: 'array', items: { type: 'string' }, description: 'Of this route alone.' },
        continue: { type: 'boolean' },
        groupBy: {
          type: 'array',
          items: { type: 'string' },
          description: 'Names of labels. `...` alone: all.',
        },
        groupWaitMs: { type: 'number' },
        groupIntervalMs: { type: 'number' },
        repeatIntervalMs: { type: 'number' },
        muteTimeIntervals: { type: 'array', items: { type: 'string' } },
        activeTimeIntervals: { type: 'array', items: { type: 'string' } },
        mutedBy: {
          type: 'array',
          items: { type: 'string' },
          description: 'Time intervals that mute it now.',
        },
        counts: {
          type: 'object',
          properties: { alerts: { type: 'number' }, groups: { type: 'number' } },
          required: ['alerts', 'groups'],
          description: 'Firing alerts and groups here, without those of the routes below.',
        },
        routes: { type: 'array', items: { $ref: '#/components/schemas/ListedRoute' } },
      },
      required: [
        'id',
        'receiver',
        'matchers',
        'continue',
        'groupBy',
        'groupWaitMs',
        'groupIntervalMs',
        'repeatIntervalMs',
        'muteTimeIntervals',
        'activeTimeIntervals',
        'mutedBy',
        'counts',
        'routes',
      ],
      description: 'A route of the configuration, with its firing alerts.',
    },
    Matcher: {
      type: 'object',
      properties: {
        name: { type: 'string' },
        value: { type: 'string' },
        isRegex: { type: 'boolean' },
        isEqual: { type: 'boolean' },
      },
      required: ['name', 'value', 'isRegex', 'isEqual'],
      description: 'A matcher. `isEqual: false` negates it.',
    },
    Notification: {
      type: 'object',
      properties: {
        id: { type: 'string' },
        at: { type: 'string', format: 'date-time' },
        groupKey: { type: 'string' },
        groupHash: { type: 'string' },
        groupLabels: {
          description: 'Absent if the group key is cut off.',
          $ref: '#/components/schemas/LabelSet',
        },
        receiver: { type: 'string' },
        integration: { description: 'As `webhook/0`.', type: 'string' },
        outcome: { $ref: '#/components/schemas/NotificationOutcome' },
        reason: { type: 'string' },
        detail: { description: 'The error, or names of time intervals or people.', type: 'string' },
        firing: {
          type: 'array',
          items: { type: 'string' },
          description: 'Fingerprints, at most the first 200.',
        },
        resolved: { type: 'array', items: { type: 'string' } },
        firingCount: { type: 'integer' },
        resolvedCount: { type: 'integer' },
        attempts: { type: 'integer' },
        tookMs: { type: 'number' },
      },
      required: [
        'id',
        'at',
        'groupKey',
        'groupHash',
        'receiver',
        'outcome',
        'firing',
        'resolved',
        'firingCount',
        'resolvedCount',
      ],
      description: 'A decision of the notification pipeline.',
    },
    NotificationAlert: {
      type: 'object',
      properties: {
        fingerprint: { type: 'string' },
        status: { type: 'string', enum: ['firing', 'resolved'] },
        labels: { $ref: '#/components/schemas/LabelSet' },
        annotations: { $ref: '#/components/schemas/LabelSet' },
        generatorURL: { type: 'string' },
        startsAt: { type: 'string', format: 'date-time' },
      },
      required: ['fingerprint', 'status', 'labels', 'annotations', 'startsAt'],
      description: 'An alert as it was then.',
    },
    NotificationCounts: {
      type: 'object',
      properties: {
        from: { type: 'string', format: 'date-time' },
        to: { type: 'string', format: 'date-time' },
        partMs: { type: 'number', description: 'The length of a part.' },
        receivers: {
          type: 'array',
          items: { $ref: '#/components/schemas/ReceiverCounts' },
          description: 'At most 100, those with the most failures first.',
        },
        countedFrom: {
          type: 'string',
          format: 'date-time',
          description: 'Later than `from` if there is more than can be counted.',
        },
      },
      required: ['from', 'to', 'partMs', 'receivers', 'countedFrom'],
      description: 'Notifications by receiver and time.',
    },
    NotificationDetails: {
      type: 'object',
      properties: {
        notification: { $ref: '#/components/schemas/Notification' },
        alerts: { type: 'array', items: { $ref: '#/components/schemas/NotificationAlert' } },
        unknownCount: {
          type: 'integer',
          description: 'How many recorded alerts are no longer in the history.',
        },
        message: {
          description:
            'Rendered again with the running configuration. Absent without an integration, and without the right `config:read`.',
          $ref: '#/components/schemas/RenderedIntegration',
        },
      },
      required: ['notification', 'alerts', 'unknownCount'],
      description: 'A decision with its alerts and its message.',
    },
    NotificationHistory: {
      type: 'object',
      properties: {
        items: {
          type: 'array',
          items: { $ref: '#/components/schemas/Notification' },
          description: 'May be fewer than the limit, or none, although there are more.',
        },
        next: { description: 'The `after` of the next page. Absent at the end.', type: 'string' },
      },
      required: ['items'],
      description: 'A page of decisions to notify or not, newest first.',
    },
    NotificationOutcome: {
      type: 'string',
      enum: [
        'sent',
        'failed',
        'canceled',
        'deduplicated',
        'acknowledged',
        'limited',
        'inhibited',
        'muted',
        'silenced',
      ],
      description: 'The outcome of a notification.',
    },
    Occurrence: {
      type: 'object',
      properties: {
        startsAt: { type: 'string', format: 'date-time' },
        endsAt: { type: 'string', format: 'date-time' },
      },
      required: ['startsAt', 'endsAt'],
      description: 'A time at which a recurring silence holds.',
    },
    PostableAcknowledgement: {
      type: 'object',
      properties: {
        fingerprint: { description: 'The alert.', type: 'string' },
        labels: {
          description: 'All labels of the alert, instead.',
          $ref: '#/components/schemas/LabelSet',
        },
        groupKey: { description: 'All firing alerts of a group, instead.', type: 'string' },
        receiver: { description: 'Only the group of this receiver.', type: 'string' },
        by: { type: 'string', description: 'The person.' },
        comment: { type: 'string' },
        until: {
          description: 'Default: when the alert resolves.',
          type: 'string',
          format: 'date-time',
        },
      },
      required: ['by'],
      description: 'An alert or a group to acknowledge.',
    },
    PostableAlert: {
      type: 'object',
      properties: {
        labels: { $ref: '#/components/schemas/LabelSet' },
        annotations: { $ref: '#/components/schemas/LabelSet' },
        generatorURL: { type: 'string' },
        startsAt: { description: 'Default: now.', type: 'string', format: 'date-time' },
        endsAt: {
          description: 'Default: after the resolve timeout.',
          type: 'string',
          format: 'date-time',
        },
      },
      required: ['labels'],
      description: 'An alert to post.',
    },
    PostableMatcher: {
      type: 'object',
      properties: {
        name: { type: 'string' },
        value: { type: 'string' },
        isRegex: { type: 'boolean' },
        isEqual: { default: true, type: 'boolean' },
      },
      required: ['name', 'value', 'isRegex'],
      description: 'A matcher. `isEqual: false` negates it.',
    },
    PostableRecurringSilence: {
      type: 'object',
      properties: {
        matchers: {
          minItems: 1,
          type: 'array',
          items: { $ref: '#/components/schemas/PostableMatcher' },
        },
        timeIntervals: {
          type: 'array',
          items: { $ref: '#/components/schemas/TimeInterval' },
          description: 'When it holds: in each of these intervals.',
        },
        createdBy: { type: 'string' },
        comment: { type: 'string' },
        annotations: { $ref: '#/components/schemas/LabelSet' },
      },
      required: ['matchers', 'timeIntervals', 'createdBy', 'comment'],
      description: 'A recurring silence to create.',
    },
    PostableSilence: {
      type: 'object',
      properties: {
        id: { description: 'The silence to change (default: a new one).', type: 'string' },
        matchers: {
          minItems: 1,
          type: 'array',
          items: { $ref: '#/components/schemas/PostableMatcher' },
        },
        startsAt: { type: 'string', format: 'date-time' },
        endsAt: { type: 'string', format: 'date-time' },
        createdBy: { type: 'string' },
        comment: { type: 'string' },
        annotations: { $ref: '#/components/schemas/LabelSet' },
        untilResolved: {
          description: 'Whether it ends once the alerts that it covers have resolved.',
          type: 'boolean',
        },
        remindBeforeMs: {
          description: 'How long before its end the alert `SilenceEnding` fires, in ms.',
          type: 'integer',
        },
      },
      required: ['matchers', 'startsAt', 'endsAt', 'createdBy', 'comment'],
      description: 'A silence to create or change.',
    },
    Receiver: {
      type: 'object',
      properties: { name: { type: 'string' }, labels: { $ref: '#/components/schemas/LabelSet' } },
      required: ['name'],
      description: 'A receiver of the configuration.',
    },
    ReceiverCounts: {
      type: 'object',
      properties: {
        receiver: { type: 'string' },
        sent: { type: 'array', items: { type: 'integer' } },
        failed: { type: 'array', items: { type: 'integer' } },
        notSent: { type: 'array', items: { type: 'integer' } },
      },
      required: ['receiver', 'sent', 'failed', 'notSent'],
      description: 'Numbers of notifications, one a part.',
    },
    ReceiverTest: {
      type: 'object',
      properties: {
        items: { type: 'array', items: { $ref: '#/components/schemas/TestedIntegration' } },
      },
      required: ['items'],
      description: 'How a test notification ended.',
    },
    ReceiverTestRequest: {
      type: 'object',
      properties: {
        receiver: { type: 'string' },
        alerts: {
          description: 'Default: one firing alert.',
          maxItems: 100,
          type: 'array',
          items: { $ref: '#/components/schemas/SampleAlert' },
        },
        groupLabels: {
          description: 'Default: from the first alert.',
          $ref: '#/components/schemas/LabelSet',
        },
        timeoutMs: { description: 'At most 30,000 (default 10,000).', type: 'number' },
      },
      required: ['receiver'],
      description: 'A test notification to send.',
    },
    RecurrencePreview: {
      type: 'object',
      properties: { items: { type: 'array', items: { $ref: '#/components/schemas/Occurrence' } } },
      required: ['items'],
      description: 'The next ten occurrences.',
    },
    RecurrencePreviewRequest: {
      type: 'object',
      properties: {
        timeIntervals: {
          type: 'array',
          items: { $ref: '#/components/schemas/TimeInterval' },
          description: 'When it holds: in each of these intervals.',
        },
      },
      required: ['timeIntervals'],
      description: 'A recurrence to preview.',
    },
    RecurringSilence: {
      type: 'object',
      properties: {
        id: { type: 'string' },
        matchers: { type: 'array', items: { $ref: '#/components/schemas/Matcher' } },
        timeIntervals: {
          type: 'array',
          items: { $ref: '#/components/schemas/TimeInterval' },
          description: 'When it holds: in each of these intervals.',
        },
        createdBy: { type: 'string' },
        comment: { type: 'string' },
        annotations: { $ref: '#/components/schemas/LabelSet' },
        createdAt: { type: 'string', format: 'date-time' },
        silenceIds: {
          type: 'array',
          items: { type: 'string' },
          description: 'The silences of its present and its next occurrence.',
        },
        next: {
          description: 'When it holds next, or now. Absent if it does not in the next five years.',
          $ref: '#/components/schemas/Occurrence',
        },
      },
      required: [
        'id',
        'matchers',
        'timeIntervals',
        'createdBy',
        'comment',
        'createdAt',
        'silenceIds',
      ],
      description: 'A silence that is created again and again.',
    },
    RecurringSilences: {
      type: 'object',
      properties: {
        items: { type: 'array', items: { $ref: '#/components/schemas/RecurringSilence' } },
      },
      required: ['items'],
      description: 'All recurring silences, the oldest first.',
    },
    RenderedIntegration: {
      type: 'object',
      properties: {
        integration: { type: 'string', description: 'As `webhook/0`.' },
        outcome: { type: 'string', enum: ['rendered', 'failed', 'skipped'] },
        detail: { description: 'Why it failed, or why there is nothing to show.', type: 'string' },
        requests: { type: 'array', items: { $ref: '#/components/schemas/RenderedRequest' } },
        mail: { $ref: '#/components/schemas/RenderedMail' },
      },
      required: ['integration', 'outcome', 'requests'],
      description: 'The requests or the mail of an integration.',
    },
    RenderedMail: {
      type: 'object',
      properties: {
        from: { type: 'string' },
        to: { type: 'array', items: { type: 'string' } },
        subject: { type: 'string' },
        headers: {
          type: 'array',
          items: { type: 'array', items: { type: 'string' }, description: 'Name and value.' },
        },
        parts: {
          type: 'array',
          items: {
            type: 'object',
            properties: { type: { type: 'string' }, text: { type: 'string' } },
            required: ['type', 'text'],
          },
        },
      },
      required: ['from', 'to', 'subject', 'headers', 'parts'],
      description: 'An email. Secrets are masked.',
    },
    RenderedRequest: {
      type: 'object',
      properties: {
        method: { type: 'string' },
        url: { type: 'string' },
        headers: {
          type: 'array',
          items: { type: 'array', items: { type: 'string' }, description: 'Name and value.' },
        },
        body: { type: 'string' },
      },
      required: ['method', 'url', 'headers', 'body'],
      description: 'A request. Secrets are masked.',
    },
    RouteDifference: {
      type: 'object',
      properties: {
        alerts: { type: 'number', description: 'How many alerts were compared.' },
        moved: { type: 'number', description: 'How many of them go elsewhere.' },
        moves: {
          type: 'array',
          items: { $ref: '#/components/schemas/RouteMove' },
          description: 'The most alerts first, at most 100.',
        },
      },
      required: ['alerts', 'moved', 'moves'],
      description: 'Which alerts go elsewhere.',
    },
    RouteMove: {
      type: 'object',
      properties: {
        from: { type: 'array', items: { $ref: '#/components/schemas/RoutePlace' } },
        to: { type: 'array', items: { $ref: '#/components/schemas/RoutePlace' } },
        count: { type: 'number' },
        examples: {
          type: 'array',
          items: { $ref: '#/components/schemas/LabelSet' },
          description: 'The labels of the first ten.',
        },
      },
      required: ['from', 'to', 'count', 'examples'],
      description: 'Alerts that go elsewhere.',
    },
    RoutePlace: {
      type: 'object',
      properties: {
        receiver: { type: 'string' },
        groupBy: {
          type: 'array',
          items: { type: 'string' },
          description: 'The names of the labels of its group.',
        },
        groupWaitMs: { type: 'number' },
        groupIntervalMs: { type: 'number' },
        repeatIntervalMs: { type: 'number' },
        muteTimeIntervals: { type: 'array', items: { type: 'string' } },
        activeTimeIntervals: { type: 'array', items: { type: 'string' } },
      },
      required: [
        'receiver',
        'groupBy',
        'groupWaitMs',
        'groupIntervalMs',
        'repeatIntervalMs',
        'muteTimeIntervals',
        'activeTimeIntervals',
      ],
      description: 'Where a configuration sends an alert.',
    },
    SampleAlert: {
      type: 'object',
      properties: {
        labels: {
          description: 'Added to `alertname="TestAlert"`.',
          $ref: '#/components/schemas/LabelSet',
        },
        annotations: { $ref: '#/components/schemas/LabelSet' },
        status: { description: 'Default: firing.', type: 'string', enum: ['firing', 'resolved'] },
        startsAt: { type: 'string', format: 'date-time' },
        endsAt: { type: 'string', format: 'date-time' },
        generatorURL: { type: 'string' },
      },
      description: 'A made-up alert.',
    },
    ServerProblem: {
      type: 'object',
      properties: {
        isFailure: { type: 'boolean', description: 'Whether something does not work.' },
        message: { type: 'string' },
      },
      required: ['isFailure', 'message'],
      description: 'A problem of the server.',
    },
    ServerProcess: {
      type: 'object',
      properties: {
        name: { type: 'string' },
        address: { type: 'string' },
        isThis: { type: 'boolean', description: 'Whether it is the one that answers.' },
        heartbeatAt: { type: 'string', format: 'date-time', description: 'By its own clock.' },
      },
      required: ['name', 'address', 'isThis', 'heartbeatAt'],
      description: 'A process that shares the storage.',
    },
    ServerStatus: {
      type: 'object',
      properties: {
        at: { type: 'string', format: 'date-time' },
        startedAt: { type: 'string', format: 'date-time' },
        storage: {
          type: 'object',
          properties: {
            kind: { description: 'Such as `memory`, `sqlite` or `postgres`.', type: 'string' },
            bytes: { description: 'On the disk, free room included.', type: 'number' },
            freeBytes: { type: 'number' },
            records: { type: 'integer' },
            refreshMs: {
              description: 'How long it took just now to bring the alerts in memory up to date.',
              type: 'number',
            },
          },
        },
        history: {
          type: 'object',
          properties: {
            retentionMs: { type: 'number', description: '0: no history is kept.' },
            packedBytes: { type: 'number' },
            maxBytes: { type: 'number', description: '0: no limit.' },
            waiting: { type: 'integer', description: 'Records that are not written yet.' },
          },
          required: ['retentionMs', 'packedBytes', 'maxBytes', 'waiting'],
        },
        processes: {
          type: 'array',
          items: { $ref: '#/components/schemas/ServerProcess' },
          description: 'Empty without a cluster.',
        },
        problems: {
          type: 'array',
          items: { $ref: '#/components/schemas/ServerProblem' },
          description: 'Failures first, at most 100.',
        },
      },
      required: ['at', 'startedAt', 'storage', 'history', 'processes', 'problems'],
      description: 'The state of a server, for its operators.',
    },
    Silence: {
      type: 'object',
      properties: {
        id: { type: 'string' },
        status: {
          type: 'object',
          properties: { state: { $ref: '#/components/schemas/SilenceState' } },
          required: ['state'],
        },
        updatedAt: { type: 'string', format: 'date-time' },
        matchers: { type: 'array', items: { $ref: '#/components/schemas/Matcher' } },
        startsAt: { type: 'string', format: 'date-time' },
        endsAt: { type: 'string', format: 'date-time' },
        createdBy: { type: 'string' },
        comment: { type: 'string' },
        annotations: { $ref: '#/components/schemas/LabelSet' },
        untilResolved: {
          description: 'Whether it ends once the alerts that it covers have resolved.',
          type: 'boolean',
        },
        remindBeforeMs: {
          description: 'How long before its end the alert `SilenceEnding` fires, in ms.',
          type: 'integer',
        },
      },
      required: [
        'id',
        'status',
        'updatedAt',
        'matchers',
        'startsAt',
        'endsAt',
        'createdBy',
        'comment',
      ],
      description: 'A silence.',
    },
    SilenceEvent: {
      type: 'object',
      properties: {
        id: { type: 'string' },
        at: { type: 'string', format: 'date-time' },
        event: { $ref: '#/components/schemas/SilenceEventKind' },
        silenceId: { type: 'string' },
        by: { description: 'The user, if the request named one.', type: 'string' },
        matchers: { type: 'array', items: { $ref: '#/components/schemas/Matcher' } },
        startsAt: { type: 'string', format: 'date-time' },
        endsAt: { type: 'string', format: 'date-time' },
        createdBy: { type: 'string' },
        comment: { type: 'string' },
      },
      required: [
        'id',
        'at',
        'event',
        'silenceId',
        'matchers',
        'startsAt',
        'endsAt',
        'createdBy',
        'comment',
      ],
      description: 'An action of a user on a silence.',
    },
    SilenceEventKind: {
      type: 'string',
      enum: ['created', 'changed', 'expired'],
      description: 'What a user did to a silence.',
    },
    SilenceExtension: {
      type: 'object',
      properties: {
        silenceId: { type: 'string' },
        endsAt: {
          description: 'Later than the end that the silence has.',
          type: 'string',
          format: 'date-time',
        },
        byMs: {
          description: 'Added to the end that the silence has, instead, in ms.',
          type: 'integer',
        },
      },
      required: ['silenceId'],
      description: 'A silence that shall end later.',
    },
    SilenceHistory: {
      type: 'object',
      properties: {
        items: {
          type: 'array',
          items: { $ref: '#/components/schemas/SilenceEvent' },
          description: 'May be fewer than the limit, or none, although there are more.',
        },
        next: { description: 'The `after` of the next page. Absent at the end.', type: 'string' },
      },
      required: ['items'],
      description: 'A page of actions on silences, newest first.',
    },
    SilencePreview: {
      type: 'object',
      properties: {
        count: { type: 'integer', description: 'How many alerts that fire now it would cover.' },
        total: { type: 'integer', description: 'How many alerts fire now.' },
        alerts: {
          type: 'array',
          items: { $ref: '#/components/schemas/Alert' },
          description: 'The first 100 of those that it would cover.',
        },
        history: {
          description: 'Absent if no history is kept.',
          type: 'object',
          properties: {
            count: {
              type: 'integer',
              description: 'How many different alerts fired since `from`.',
            },
            from: {
              type: 'string',
              format: 'date-time',
              description: 'Later than requested if there is more than can be searched.',
            },
          },
          required: ['count', 'from'],
        },
      },
      required: ['count', 'total', 'alerts'],
      description: 'What a silence would cover.',
    },
    SilencePreviewRequest: {
      type: 'object',
      properties: {
        matchers: {
          minItems: 1,
          type: 'array',
          items: { $ref: '#/components/schemas/PostableMatcher' },
        },
        historyMs: {
          description: 'How far to look back, in ms. Default: 7 days.',
          type: 'integer',
        },
      },
      required: ['matchers'],
      description: 'A silence to preview.',
    },
    SilenceState: {
      type: 'string',
      enum: ['expired', 'active', 'pending'],
      description: 'The state of a silence.',
    },
    SilencesPage: {
      type: 'object',
      properties: {
        items: {
          type: 'array',
          items: { $ref: '#/components/schemas/Silence' },
          description: 'With `fields`, only with these properties.',
        },
        total: { type: 'integer', description: 'The number of items on all pages.' },
        next: { description: 'The `after` of the next page. Absent at the end.', type: 'string' },
      },
      required: ['items', 'total'],
      description: 'A page of the silences.',
    },
    TestedIntegration: {
      type: 'object',
      properties: {
        integration: { type: 'string', description: 'As `webhook/0`.' },
        result: {
          type: 'object',
          properties: {
            outcome: {
              type: 'string',
              enum: ['sent', 'retry', 'failed', 'skipped'],
              description: '`retry`: failed, and a real notification would be sent again.',
            },
            reason: { type: 'string' },
            detail: { description: 'The error, with the answer of the receiver.', type: 'string' },
          },
          required: ['outcome'],
        },
        tookMs: { type: 'number' },
      },
      required: ['integration', 'result', 'tookMs'],
      description: 'How the test of an integration ended.',
    },
    TimeInterval: {
      type: 'object',
      properties: {
        name: { description: 'One of the configuration, instead of all others.', type: 'string' },
        times: {
          type: 'array',
          items: {
            type: 'object',
            properties: { startTime: { type: 'string' }, endTime: { type: 'string' } },
            required: ['startTime', 'endTime'],
          },
        },
        weekdays: { description: 'As `monday:friday`.', type: 'array', items: { type: 'string' } },
        daysOfMonth: { description: 'As `1:5` or `-1`.', type: 'array', items: { type: 'string' } },
        months: { description: 'As `january:march`.', type: 'array', items: { type: 'string' } },
        years: { description: 'As `2026`.', type: 'array', items: { type: 'string' } },
        location: { description: 'As `Europe/Berlin`. Default: UTC.', type: 'string' },
      },
      description: 'A time interval, as in the configuration, with keys in camelCase.',
    },
    WhoAmI: {
      type: 'object',
      properties: {
        subject: {
          anyOf: [
            {
              type: 'object',
              properties: {
                id: { type: 'string', description: 'The name that is recorded.' },
                kind: {
                  description: 'As `user`, `token`, `certificate` or `session`.',
                  type: 'string',
                },
              },
              required: ['id'],
            },
            { type: 'null' },
          ],
          description: '`null` if the sender is unknown.',
        },
        actions: {
          type: 'array',
          items: { $ref: '#/components/schemas/AccessAction' },
          description: 'What it may do; rights to some silences or webhooks count.',
        },
      },
      required: ['subject', 'actions'],
      description: 'The sender of a request, and what it may do.',
    },
  },
}
