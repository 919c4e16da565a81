// Written by scripts/write-schemas.mjs; `operations.ts` is where to change it.

import type { OpenApiPart } from '../../http/openapi.ts'

/** The part of the OpenAPI document about this service. */
export const description: OpenApiPart = {
  paths: {
    '/api/v1/authentication_flows': {
      post: {
        operationId: 'createFlow',
        summary: 'Creates a flow. With inputs it may end in the same request.',
        tags: ['sign-in'],
        parameters: [
          { name: 'client_id', in: 'query', schema: { type: 'string' } },
          {
            name: 'x_ref',
            in: 'query',
            description: 'The reference of an authorization request.',
            schema: { type: 'string' },
          },
          { name: 'state', in: 'query', schema: { type: 'string' } },
          { name: 'x_state', in: 'query', schema: { type: 'string' } },
          { name: 'ui_locales', in: 'query', schema: { type: 'string' } },
          { name: 'login_hint', in: 'query', schema: { type: 'string' } },
        ],
        requestBody: {
          content: {
            'application/json': {
              schema: {
                type: 'object',
                properties: {
                  type: {
                    description: '`account` flows begin at the account.',
                    $ref: '#/components/schemas/FlowType',
                  },
                  name: {
                    type: 'string',
                    description: '`default`, or the name of a declared flow.',
                  },
                  input: { $ref: '#/components/schemas/FlowInput' },
                  batch_input: {
                    description: 'In place of `input`: several.',
                    maxItems: 50,
                    type: 'array',
                    items: { $ref: '#/components/schemas/FlowInput' },
                  },
                  url_query: {
                    description: 'The query of the authorization request.',
                    type: 'string',
                    maxLength: 16384,
                  },
                  client_context: { description: 'Passed on to hooks; at most 4 KiB.' },
                },
                required: ['type', 'name'],
              },
            },
          },
        },
        responses: {
          '200': {
            description: 'The state that was reached.',
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  properties: { result: { $ref: '#/components/schemas/FlowState' } },
                  required: ['result'],
                },
              },
            },
          },
          default: {
            description: 'A refusal. Its `code` is the status.',
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/AuthFailure' } },
            },
          },
        },
      },
    },
    '/api/v1/authentication_flows/states/input': {
      post: {
        operationId: 'advanceFlow',
        summary: 'Feeds an input to a state. The answer has a new state.',
        tags: ['sign-in'],
        requestBody: {
          content: {
            'application/json': {
              schema: {
                type: 'object',
                properties: {
                  state_token: {
                    description: 'Not needed for the code of a recovery link.',
                    type: 'string',
                  },
                  input: { $ref: '#/components/schemas/FlowInput' },
                  batch_input: {
                    description: 'In place of `input`: several.',
                    maxItems: 50,
                    type: 'array',
                    items: { $ref: '#/components/schemas/FlowInput' },
                  },
                },
              },
            },
          },
        },
        responses: {
          '200': {
            description: 'The state that was reached.',
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  properties: { result: { $ref: '#/components/schemas/FlowState' } },
                  required: ['result'],
                },
              },
            },
          },
          default: {
            description: 'A refusal. Its `code` is the status.',
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/AuthFailure' } },
            },
          },
        },
      },
    },
    '/api/v1/authentication_flows/states': {
      post: {
        operationId: 'getFlowState',
        summary: 'Reads a state again. Changes nothing.',
        tags: ['sign-in'],
        requestBody: {
          content: {
            'application/json': {
              schema: {
                type: 'object',
                properties: { state_token: { type: 'string' } },
                required: ['state_token'],
              },
            },
          },
        },
        responses: {
          '200': {
            description: 'The state that was reached.',
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  properties: { result: { $ref: '#/components/schemas/FlowState' } },
                  required: ['result'],
                },
              },
            },
          },
          default: {
            description: 'A refusal. Its `code` is the status.',
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/AuthFailure' } },
            },
          },
        },
      },
    },
    '/api/v1/authentication_flows/links/approve': {
      post: {
        operationId: 'approveLink',
        summary: 'Approves a link that was sent.',
        tags: ['sign-in'],
        requestBody: {
          content: {
            'application/json': {
              schema: {
                type: 'object',
                properties: { code: { type: 'string' } },
                required: ['code'],
              },
            },
          },
        },
        responses: {
          '200': {
            description: 'Done.',
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  properties: {
                    result: {
                      type: 'object',
                      properties: { approved: { type: 'boolean', const: true } },
                      required: ['approved'],
                    },
                  },
                  required: ['result'],
                },
              },
            },
          },
          default: {
            description: 'A refusal. Its `code` is the status.',
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/AuthFailure' } },
            },
          },
        },
      },
    },
    '/api/v1/authentication_flows/ws': {
      get: {
        operationId: 'followApproval',
        summary: 'Reports when a link is approved: by WebSocket, or as server-sent events.',
        tags: ['sign-in'],
        parameters: [
          {
            name: 'channel',
            in: 'query',
            required: true,
            description: 'As in `websocket_url`.',
            schema: { type: 'string' },
          },
        ],
        responses: {
          '200': {
            description: 'A stream with one event.',
            content: { 'text/event-stream': { schema: { type: 'string' } } },
          },
          default: {
            description: 'A refusal. Its `code` is the status.',
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/AuthFailure' } },
            },
          },
        },
      },
    },
    '/api/v1/account': {
      get: {
        operationId: 'getAccount',
        summary: 'The account of the signed-in user.',
        tags: ['sign-in'],
        responses: {
          '200': {
            description: 'The account.',
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  properties: { result: { $ref: '#/components/schemas/Account' } },
                  required: ['result'],
                },
              },
            },
          },
          default: {
            description: 'A refusal. Its `code` is the status.',
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/AuthFailure' } },
            },
          },
        },
      },
    },
    '/api/v1/account/flows': {
      post: {
        operationId: 'beginAccountFlow',
        summary: 'Begins a flow that changes the account.',
        tags: ['sign-in'],
        requestBody: {
          content: {
            'application/json': { schema: { $ref: '#/components/schemas/AccountChange' } },
          },
        },
        responses: {
          '200': {
            description: 'The state that was reached.',
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  properties: { result: { $ref: '#/components/schemas/FlowState' } },
                  required: ['result'],
                },
              },
            },
          },
          default: {
            description: 'A refusal. Its `code` is the status.',
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/AuthFailure' } },
            },
          },
        },
      },
    },
    '/api/v1/account/identities/{id}': {
      delete: {
        operationId: 'removeIdentity',
        summary: 'Removes an identity.',
        tags: ['sign-in'],
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
        responses: {
          '200': {
            description: 'Done.',
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  properties: { result: { type: 'object', properties: {} } },
                  required: ['result'],
                },
              },
            },
          },
          default: {
            description: 'A refusal. Its `code` is the status.',
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/AuthFailure' } },
            },
          },
        },
      },
    },
    '/api/v1/account/authenticators/{id}': {
      delete: {
        operationId: 'removeAuthenticator',
        summary: 'Removes an authenticator.',
        tags: ['sign-in'],
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
        responses: {
          '200': {
            description: 'Done.',
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  properties: { result: { type: 'object', properties: {} } },
                  required: ['result'],
                },
              },
            },
          },
          default: {
            description: 'A refusal. Its `code` is the status.',
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/AuthFailure' } },
            },
          },
        },
      },
    },
    '/api/v1/account/profile': {
      patch: {
        operationId: 'updateProfile',
        summary: 'Changes attributes of the user.',
        tags: ['sign-in'],
        requestBody: {
          content: {
            'application/json': {
              schema: {
                type: 'object',
                properties: {
                  attributes: {
                    type: 'array',
                    items: { $ref: '#/components/schemas/ProfileChange' },
                  },
                },
                required: ['attributes'],
              },
            },
          },
        },
        responses: {
          '200': {
            description: 'The profile.',
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  properties: { result: { $ref: '#/components/schemas/AccountProfile' } },
                  required: ['result'],
                },
              },
            },
          },
          default: {
            description: 'A refusal. Its `code` is the status.',
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/AuthFailure' } },
            },
          },
        },
      },
    },
    '/api/v1/account/sessions/{id}': {
      delete: {
        operationId: 'revokeOwnSession',
        summary: 'Ends a session of the user.',
        tags: ['sign-in'],
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
        responses: {
          '200': {
            description: 'Done.',
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  properties: { result: { type: 'object', properties: {} } },
                  required: ['result'],
                },
              },
            },
          },
          default: {
            description: 'A refusal. Its `code` is the status.',
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/AuthFailure' } },
            },
          },
        },
      },
    },
    '/api/v1/account/sessions/revoke-others': {
      post: {
        operationId: 'revokeOtherSessions',
        summary: 'Ends all sessions of the user but this one.',
        tags: ['sign-in'],
        responses: {
          '200': {
            description: 'How many ended.',
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  properties: {
                    result: {
                      type: 'object',
                      properties: { revoked: { type: 'integer' } },
                      required: ['revoked'],
                    },
                  },
                  required: ['result'],
                },
              },
            },
          },
          default: {
            description: 'A refusal. Its `code` is the status.',
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/AuthFailure' } },
            },
          },
        },
      },
    },
    '/api/v1/account/device-tokens/revoke': {
      post: {
        operationId: 'revokeDeviceTokens',
        summary: 'Trusts no device any more.',
        tags: ['sign-in'],
        responses: {
          '200': {
            description: 'How many devices are no longer trusted.',
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  properties: {
                    result: {
                      type: 'object',
                      properties: { revoked: { type: 'integer' } },
                      required: ['revoked'],
                    },
                  },
                  required: ['result'],
                },
              },
            },
          },
          default: {
            description: 'A refusal. Its `code` is the status.',
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/AuthFailure' } },
            },
          },
        },
      },
    },
    '/api/v1/account/sign-out': {
      post: {
        operationId: 'signOut',
        summary: 'Ends the session of the request, if there is one.',
        tags: ['sign-in'],
        responses: {
          '200': {
            description: 'Done.',
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  properties: { result: { type: 'object', properties: {} } },
                  required: ['result'],
                },
              },
            },
          },
          default: {
            description: 'A refusal. Its `code` is the status.',
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/AuthFailure' } },
            },
          },
        },
      },
    },
    '/gatehouse/v1/users': {
      get: {
        operationId: 'getUsers',
        summary: 'Users, the newest first.',
        tags: ['sign-in'],
        parameters: [
          {
            name: 'search',
            in: 'query',
            description:
              'A user id, a login ID or its beginning, or a whole name: at most 100 users.',
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
        ],
        responses: {
          '200': {
            description: 'A page.',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/UsersPage' } } },
          },
          default: {
            description: 'A refusal.',
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/UsersFailure' } },
            },
          },
        },
      },
      post: {
        operationId: 'createUser',
        summary: 'Creates a user.',
        tags: ['sign-in'],
        requestBody: {
          content: { 'application/json': { schema: { $ref: '#/components/schemas/NewUser' } } },
        },
        responses: {
          '200': {
            description: 'The user.',
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  properties: { id: { type: 'string' } },
                  required: ['id'],
                },
              },
            },
          },
          default: {
            description: 'A refusal.',
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/UsersFailure' } },
            },
          },
        },
      },
    },
    '/gatehouse/v1/users/import': {
      post: {
        operationId: 'importUsers',
        summary: 'Imports users from another system. A record that is not valid fails alone.',
        tags: ['sign-in'],
        requestBody: {
          content: {
            'application/json': {
              schema: {
                type: 'object',
                properties: {
                  users: {
                    maxItems: 1000,
                    type: 'array',
                    items: { $ref: '#/components/schemas/ImportedUser' },
                  },
                },
                required: ['users'],
              },
            },
          },
        },
        responses: {
          '200': {
            description: 'The outcome of each record.',
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  properties: {
                    items: { type: 'array', items: { $ref: '#/components/schemas/ImportOutcome' } },
                  },
                  required: ['items'],
                },
              },
            },
          },
          default: {
            description: 'A refusal.',
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/UsersFailure' } },
            },
          },
        },
      },
    },
    '/gatehouse/v1/users/{id}': {
      get: {
        operationId: 'getUser',
        summary: 'A user, with identities, authenticators, sessions and failed attempts.',
        tags: ['sign-in'],
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
        responses: {
          '200': {
            description: 'The user.',
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/UserAccount' } },
            },
          },
          default: {
            description: 'A refusal.',
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/UsersFailure' } },
            },
          },
        },
      },
      delete: {
        operationId: 'deleteUser',
        summary: 'Deletes a user and everything that belongs to the user.',
        tags: ['sign-in'],
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
        responses: {
          '200': { description: 'Done.' },
          default: {
            description: 'A refusal.',
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/UsersFailure' } },
            },
          },
        },
      },
    },
    '/gatehouse/v1/users/{id}/disable': {
      post: {
        operationId: 'disableUser',
        summary: 'Disables a user. The sessions of the user end at once.',
        tags: ['sign-in'],
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
        requestBody: {
          content: {
            'application/json': {
              schema: {
                type: 'object',
                properties: {
                  reason: { description: 'Shown to the user at login.', type: 'string' },
                },
              },
            },
          },
        },
        responses: {
          '200': { description: 'Done.' },
          default: {
            description: 'A refusal.',
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/UsersFailure' } },
            },
          },
        },
      },
    },
    '/gatehouse/v1/users/{id}/enable': {
      post: {
        operationId: 'enableUser',
        summary: 'Enables a user again.',
        tags: ['sign-in'],
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
        responses: {
          '200': { description: 'Done.' },
          default: {
            description: 'A refusal.',
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/UsersFailure' } },
            },
          },
        },
      },
    },
    '/gatehouse/v1/users/{id}/events': {
      get: {
        operationId: 'getUserEvents',
        summary: 'What happened to a user, newest first; also to one who was deleted.',
        tags: ['sign-in'],
        parameters: [
          { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
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
        ],
        responses: {
          '200': {
            description: 'A page.',
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/AuditedEvents' } },
            },
          },
          default: {
            description: 'A refusal.',
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/UsersFailure' } },
            },
          },
        },
      },
    },
    '/gatehouse/v1/users/{id}/lockout': {
      delete: {
        operationId: 'resetLockout',
        summary: 'Forgets the failed attempts against a user.',
        tags: ['sign-in'],
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
        responses: {
          '200': { description: 'Done.' },
          default: {
            description: 'A refusal.',
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/UsersFailure' } },
            },
          },
        },
      },
    },
    '/gatehouse/v1/users/{id}/sessions': {
      delete: {
        operationId: 'revokeUserSessions',
        summary: 'Ends all sessions of a user.',
        tags: ['sign-in'],
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
        responses: {
          '200': {
            description: 'How many ended.',
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  properties: { revoked: { type: 'integer' } },
                  required: ['revoked'],
                },
              },
            },
          },
          default: {
            description: 'A refusal.',
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/UsersFailure' } },
            },
          },
        },
      },
    },
    '/gatehouse/v1/users/{id}/sessions/{session}': {
      delete: {
        operationId: 'revokeUserSession',
        summary: 'Ends a session of a user.',
        tags: ['sign-in'],
        parameters: [
          { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
          { name: 'session', in: 'path', required: true, schema: { type: 'string' } },
        ],
        responses: {
          '200': { description: 'Done.' },
          default: {
            description: 'A refusal.',
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/UsersFailure' } },
            },
          },
        },
      },
    },
  },
  schemas: {
    Account: {
      type: 'object',
      properties: {
        user: { $ref: '#/components/schemas/AccountUser' },
        identities: { type: 'array', items: { $ref: '#/components/schemas/Identity' } },
        authenticators: {
          type: 'array',
          items: { $ref: '#/components/schemas/AccountAuthenticator' },
        },
        recovery_codes: { type: 'integer', description: 'How many are left.' },
        device_tokens: { type: 'integer', description: 'How many devices are trusted.' },
        sessions: { type: 'array', items: { $ref: '#/components/schemas/AccountSession' } },
        changes: { $ref: '#/components/schemas/AvailableChanges' },
      },
      required: [
        'user',
        'identities',
        'authenticators',
        'recovery_codes',
        'device_tokens',
        'sessions',
        'changes',
      ],
      description: 'The account of the signed-in user.',
    },
    AccountAuthenticator: {
      type: 'object',
      properties: {
        id: { type: 'string' },
        type: {
          type: 'string',
          enum: ['password', 'oob_otp_email', 'oob_otp_sms', 'totp', 'passkey', 'custom'],
        },
        kind: { type: 'string', enum: ['primary', 'secondary'] },
        authentication: { type: 'string', description: 'Its name in flows, as `secondary_totp`.' },
        created_at: { type: 'string', format: 'date-time' },
        updated_at: { type: 'string', format: 'date-time' },
        target: { description: 'Where codes go.', type: 'string' },
        display_name: {
          description: 'The name of an authenticator app or a passkey.',
          type: 'string',
        },
        expire_after: {
          description: 'When a password must be changed.',
          type: 'string',
          format: 'date-time',
        },
      },
      required: ['id', 'type', 'kind', 'authentication', 'created_at', 'updated_at'],
      description: 'Something that a user authenticates with.',
    },
    AccountChange: {
      anyOf: [
        {
          type: 'object',
          properties: { add_identity: { type: 'string', description: 'As `email` or `oauth`.' } },
          required: ['add_identity'],
        },
        {
          type: 'object',
          properties: {
            replace_identity: { type: 'string', description: 'The id of an identity.' },
          },
          required: ['replace_identity'],
        },
        {
          type: 'object',
          properties: {
            verify_identity: { type: 'string', description: 'The id of an identity.' },
          },
          required: ['verify_identity'],
        },
        {
          type: 'object',
          properties: {
            create_authenticator: {
              minItems: 1,
              type: 'array',
              items: { $ref: '#/components/schemas/AuthenticationName' },
            },
          },
          required: ['create_authenticator'],
        },
        {
          type: 'object',
          properties: { change_password: { type: 'string', enum: ['primary', 'secondary'] } },
          required: ['change_password'],
        },
        {
          type: 'object',
          properties: { create_passkey: { type: 'boolean', const: true } },
          required: ['create_passkey'],
        },
        {
          type: 'object',
          properties: { create_recovery_codes: { type: 'boolean', const: true } },
          required: ['create_recovery_codes'],
        },
        {
          type: 'object',
          properties: {
            fill_in_user_profile: {
              minItems: 1,
              type: 'array',
              items: { type: 'string' },
              description: 'Pointers, as `/given_name`.',
            },
          },
          required: ['fill_in_user_profile'],
        },
      ],
      description: 'A change of the account that needs a flow.',
    },
    AccountProfile: {
      type: 'object',
      properties: {
        standard_attributes: {
          type: 'object',
          additionalProperties: {},
          description: 'Claims of OpenID Connect, as `given_name`.',
        },
        custom_attributes: { type: 'object', additionalProperties: {} },
      },
      required: ['standard_attributes', 'custom_attributes'],
      description: 'The attributes of a user, as far as the user may see them.',
    },
    AccountSession: {
      type: 'object',
      properties: {
        id: { type: 'string' },
        client_id: { type: ['string', 'null'] },
        created_at: { type: 'string', format: 'date-time' },
        authenticated_at: { type: 'string', format: 'date-time' },
        last_accessed_at: { type: 'string', format: 'date-time' },
        last_accessed_ip: { type: ['string', 'null'] },
        last_accessed_user_agent: { type: ['string', 'null'] },
        expires_at: { type: 'string', format: 'date-time' },
        amr: { type: 'array', items: { type: 'string' } },
        aal: { type: 'integer' },
        is_current: { type: 'boolean' },
      },
      required: [
        'id',
        'client_id',
        'created_at',
        'authenticated_at',
        'last_accessed_at',
        'last_accessed_ip',
        'last_accessed_user_agent',
        'expires_at',
        'amr',
        'aal',
        'is_current',
      ],
      description: 'A session of the user.',
    },
    AccountUser: {
      type: 'object',
      properties: {
        id: { type: 'string' },
        created_at: { type: 'string', format: 'date-time' },
        updated_at: { type: 'string', format: 'date-time' },
        last_login_at: { anyOf: [{ type: 'string', format: 'date-time' }, { type: 'null' }] },
        standard_attributes: {
          type: 'object',
          additionalProperties: {},
          description: 'Claims of OpenID Connect, as `given_name`.',
        },
        custom_attributes: { type: 'object', additionalProperties: {} },
      },
      required: [
        'id',
        'created_at',
        'updated_at',
        'last_login_at',
        'standard_attributes',
        'custom_attributes',
      ],
      description: 'The user, and their attributes.',
    },
    AnonymousIdentity: {
      type: 'object',
      properties: {
        type: { type: 'string', const: 'anonymous' },
        id: { type: 'string' },
        created_at: { type: 'string', format: 'date-time' },
        updated_at: { type: 'string', format: 'date-time' },
        email: { type: 'string' },
        phone_number: { type: 'string' },
        preferred_username: { type: 'string' },
        is_verified: { type: 'boolean', description: 'Whether its address is verified.' },
      },
      required: ['type', 'id', 'created_at', 'updated_at', 'is_verified'],
      description: 'The identity of an anonymous user.',
    },
    AuditedEvent: {
      type: 'object',
      properties: {
        id: { type: 'string' },
        at: { type: 'string', format: 'date-time' },
        type: { type: 'string', description: 'As `user.authenticated`.' },
        userId: { type: 'string' },
        triggeredBy: { type: 'string', enum: ['user', 'system', 'admin_api'] },
        clientId: { type: 'string' },
        ipAddress: { type: 'string' },
        userAgent: { type: 'string' },
        geoLocationCode: { type: 'string' },
        authenticationFlow: {
          type: 'object',
          properties: { type: { type: 'string' }, name: { type: 'string' } },
          required: ['type', 'name'],
        },
        payload: { type: 'object', additionalProperties: {} },
      },
      required: ['id', 'at', 'type', 'triggeredBy', 'payload'],
      description: 'An event of the audit log.',
    },
    AuditedEvents: {
      type: 'object',
      properties: {
        items: { type: 'array', items: { $ref: '#/components/schemas/AuditedEvent' } },
        next: { description: 'The `after` of the next page; absent at the end.', type: 'string' },
      },
      required: ['items'],
      description: 'A page of events, newest first.',
    },
    AuthError: {
      type: 'object',
      properties: {
        name: {
          type: 'string',
          enum: [
            'BadRequest',
            'Invalid',
            'Unauthorized',
            'Forbidden',
            'NotFound',
            'AlreadyExists',
            'DataRace',
            'RequestEntityTooLarge',
            'TooManyRequest',
            'InternalError',
            'ServiceUnavailable',
          ],
        },
        reason: { $ref: '#/components/schemas/AuthReason' },
        message: { type: 'string', description: 'For developers, not for users.' },
        code: { type: 'integer', description: 'The HTTP status.' },
        tracking_id: { type: 'string', description: 'Names the log line of the error.' },
        info: { $ref: '#/components/schemas/AuthErrorInfo' },
      },
      required: ['name', 'reason', 'message', 'code', 'tracking_id'],
      description: 'A refusal.',
    },
    AuthErrorInfo: {
      type: 'object',
      properties: {
        FlowType: { $ref: '#/components/schemas/FlowType' },
        causes: {
          type: 'array',
          items: {
            anyOf: [
              { $ref: '#/components/schemas/ValidationCause' },
              { $ref: '#/components/schemas/PolicyCause' },
            ],
          },
        },
        cause: {
          description: 'The rule that forbids it.',
          type: 'object',
          properties: { kind: { type: 'string' } },
          required: ['kind'],
          additionalProperties: {},
        },
        AuthenticationType: { type: 'string' },
        IdentityTypeIncoming: { type: 'string' },
        server_name: { type: 'string' },
        LoginIDTypeIncoming: { type: 'string' },
        OAuthProviderTypeIncoming: { type: 'string' },
        IdentityTypeExisting: { type: 'string' },
        LoginIDTypeExisting: { type: 'string' },
        OAuthProviderTypeExisting: { type: 'string' },
        ExistingIdentities: { type: 'array', items: { type: 'object', additionalProperties: {} } },
        OAuthProviderAlias: { type: 'string' },
        OAuthProviderType: { type: 'string' },
        provider_type: { type: 'string' },
        error: { description: 'The error of an identity provider.', type: 'string' },
        error_description: { type: 'string' },
        error_uri: { type: 'string' },
        bucket_name: { description: 'The rate limit.', type: 'string' },
        rate_limit: {
          type: 'object',
          properties: { name: { type: 'string' }, group: { type: 'string' } },
          required: ['name', 'group'],
        },
        rate_limit_name: { type: 'string' },
        until: { description: 'Of a lockout, RFC 3339.', type: 'string' },
        reason: { description: 'Why the user is disabled.', type: 'string' },
        delete_at: { type: 'string' },
        anonymize_at: { type: 'string' },
        account_valid_from: { type: 'string' },
        account_valid_until: { type: 'string' },
        otp_form: { type: 'string' },
        event_type: { description: 'The event that a hook refused.', type: 'string' },
        reasons: {
          description: 'Why a hook refused.',
          type: 'array',
          items: {
            type: 'object',
            properties: { title: { type: 'string' }, reason: { type: 'string' } },
          },
        },
        target_step: { type: 'string' },
        limit: { description: 'In bytes.', type: 'integer' },
        path: { description: 'Of a value that is not valid.', type: 'string' },
        expected: { type: 'string' },
        given: { type: 'string' },
        action: { description: 'What the sender may not do.', type: 'string' },
      },
      description: 'Details of an error. Which ones are there depends on its reason.',
    },
    AuthFailure: {
      type: 'object',
      properties: {
        error: { $ref: '#/components/schemas/AuthError' },
        result: {
          description: 'The state the request was made to, if known.',
          $ref: '#/components/schemas/FlowState',
        },
      },
      required: ['error'],
      description: 'The answer to a refused request.',
    },
    AuthReason: {
      type: 'string',
      enum: [
        'ValidationFailed',
        'InvalidInput',
        'InvalidHistoryQuery',
        'BadRequest',
        'MethodNotAllowed',
        'NotFound',
        'InvalidQuery',
        'JSONTooLarge',
        'HTTPSRequired',
        'Forbidden',
        'NotAllowed',
        'TooManyRequest',
        'DataRace',
        'UnexpectedError',
        'AuthenticationFlowNotFound',
        'AuthenticationFlowFlowNotFound',
        'AuthenticationFlowStepNotFound',
        'AuthenticationFlowNotAllowed',
        'AuthenticationFlowNoPublicSignup',
        'AuthenticationFlowDifferentUserID',
        'AuthenticationFlowNoUserID',
        'AuthenticationFlowInvalidTargetStep',
        'SelectAccountSessionChanged',
        'InvariantViolated',
        'Invalid',
        'InvalidCredentials',
        'InvalidVerificationCode',
        'InvalidOTPCode',
        'PasswordPolicyViolated',
        'PasswordResetFailed',
        'ChangePasswordFailed',
        'ForgotPasswordFailed',
        'RateLimited',
        'AccountLockout',
        'BotProtectionVerificationFailed',
        'BotProtectionVerificationServiceUnavailable',
        'OTPDeliveryUnexpectedError',
        'SMSNotSupported',
        'OAuthError',
        'ExternalJWTInvalidJWT',
        'ExternalJWTInvalidClaim',
        'ExternalJWTFailedToFetchJWKs',
        'LDAPError',
        'OAuthProtocolError',
        'OAuthProviderNotFound',
        'OAuthProviderMissingCredentials',
        'WebAuthnSessionNotFound',
        'UserNotFound',
        'DisabledUser',
        'AnonymizedUser',
        'ScheduledDeletionByAdmin',
        'ScheduledDeletionByEndUser',
        'ScheduledAnonymizationByAdmin',
        'UserOutsideValidPeriod',
        'NotAuthenticated',
        'ReauthenticationRequired',
        'AccessControlViolated',
        'IdentityNotFound',
        'AuthenticatorNotFound',
        'SessionNotFound',
        'HookDisallowed',
        'HookDeliveryTimeout',
        'HookInvalidResponse',
        'HookDeliveryUnknownFailure',
      ],
      description:
        'Why a request was refused. Hooks and custom kinds may add reasons of their own.',
    },
    AuthenticateAction: {
      type: 'object',
      properties: {
        type: { type: 'string', enum: ['authenticate'] },
        data: {
          type: 'object',
          properties: {
            type: { type: 'string', const: 'authentication_data' },
            options: { type: 'array', items: { $ref: '#/components/schemas/AuthenticateOption' } },
            device_token_enabled: {
              type: 'boolean',
              description: 'Whether the input may ask to trust this device.',
            },
          },
          required: ['type', 'options', 'device_token_enabled'],
        },
      },
      required: ['type', 'data'],
      description: 'Prove who you are.',
    },
    AuthenticateInput: {
      anyOf: [
        {
          type: 'object',
          properties: {
            authentication: { type: 'string', enum: ['primary_password', 'secondary_password'] },
            password: { type: 'string' },
            request_device_token: {
              description: 'Trusts this device. Only where `device_token_enabled`.',
              type: 'boolean',
            },
            bot_protection: {
              description: 'The response of the bot protection, if the option asks for it.',
              type: 'object',
              properties: { type: { type: 'string' }, response: { type: 'string' } },
              required: ['type', 'response'],
            },
          },
          required: ['authentication', 'password'],
        },
        {
          type: 'object',
          properties: {
            authentication: { type: 'string', const: 'secondary_totp' },
            code: { type: 'string' },
            request_device_token: {
              description: 'Trusts this device. Only where `device_token_enabled`.',
              type: 'boolean',
            },
            bot_protection: {
              description: 'The response of the bot protection, if the option asks for it.',
              type: 'object',
              properties: { type: { type: 'string' }, response: { type: 'string' } },
              required: ['type', 'response'],
            },
          },
          required: ['authentication', 'code'],
        },
        {
          type: 'object',
          properties: {
            authentication: { type: 'string', const: 'recovery_code' },
            recovery_code: { type: 'string' },
            request_device_token: {
              description: 'Trusts this device. Only where `device_token_enabled`.',
              type: 'boolean',
            },
            bot_protection: {
              description: 'The response of the bot protection, if the option asks for it.',
              type: 'object',
              properties: { type: { type: 'string' }, response: { type: 'string' } },
              required: ['type', 'response'],
            },
          },
          required: ['authentication', 'recovery_code'],
        },
        {
          type: 'object',
          properties: {
            authentication: { type: 'string', const: 'primary_passkey' },
            assertion_response: { $ref: '#/components/schemas/PasskeyAssertion' },
            request_device_token: {
              description: 'Trusts this device. Only where `device_token_enabled`.',
              type: 'boolean',
            },
            bot_protection: {
              description: 'The response of the bot protection, if the option asks for it.',
              type: 'object',
              properties: { type: { type: 'string' }, response: { type: 'string' } },
              required: ['type', 'response'],
            },
          },
          required: ['authentication', 'assertion_response'],
        },
        {
          type: 'object',
          properties: {
            authentication: {
              type: 'string',
              enum: [
                'primary_oob_otp_email',
                'primary_oob_otp_sms',
                'secondary_oob_otp_email',
                'secondary_oob_otp_sms',
              ],
            },
            index: {
              description: 'The position of the option. Needed unless `target` is given.',
              type: 'integer',
            },
            target: {
              description: 'Of a second factor: the address, in place of `index`.',
              type: 'string',
            },
            channel: {
              description: 'Needed if the option lists several.',
              $ref: '#/components/schemas/Channel',
            },
            request_device_token: {
              description: 'Trusts this device. Only where `device_token_enabled`.',
              type: 'boolean',
            },
            bot_protection: {
              description: 'The response of the bot protection, if the option asks for it.',
              type: 'object',
              properties: { type: { type: 'string' }, response: { type: 'string' } },
              required: ['type', 'response'],
            },
          },
          required: ['authentication'],
        },
      ],
      description: 'For an `AuthenticateAction`.',
    },
    AuthenticateOption: {
      anyOf: [
        { $ref: '#/components/schemas/PasswordOption' },
        { $ref: '#/components/schemas/PasskeyAuthenticationOption' },
        { $ref: '#/components/schemas/OobOtpOption' },
        { $ref: '#/components/schemas/CodeOption' },
      ],
      description: 'One way to prove who one is.',
    },
    AuthenticationName: {
      type: 'string',
      enum: [
        'primary_password',
        'secondary_password',
        'primary_passkey',
        'primary_oob_otp_email',
        'primary_oob_otp_sms',
        'secondary_oob_otp_email',
        'secondary_oob_otp_sms',
        'secondary_totp',
        'recovery_code',
        'device_token',
      ],
      description: 'The name of an authentication.',
    },
    AvailableChanges: {
      type: 'object',
      properties: {
        add_identity: { type: 'array', items: { type: 'string' } },
        replace_identity: {
          type: 'array',
          items: { type: 'string' },
          description: 'Ids of identities.',
        },
        verify_identity: {
          type: 'array',
          items: { type: 'string' },
          description: 'Ids of identities.',
        },
        create_authenticator: { type: 'array', items: { type: 'string' } },
        change_password: {
          type: 'array',
          items: { type: 'string', enum: ['primary', 'secondary'] },
        },
        create_passkey: { type: 'boolean' },
        create_recovery_codes: { type: 'boolean' },
      },
      required: [
        'add_identity',
        'replace_identity',
        'verify_identity',
        'create_authenticator',
        'change_password',
        'create_passkey',
        'create_recovery_codes',
      ],
      description: 'The changes that a page can offer. Forbidden ones are refused anyway.',
    },
    ChangePasswordAction: {
      type: 'object',
      properties: {
        type: { type: 'string', enum: ['change_password'] },
        data: {
          type: 'object',
          properties: {
            type: { type: 'string', const: 'new_password_data' },
            password_policy: { $ref: '#/components/schemas/PasswordPolicy' },
            force_change_reason: { type: 'string', enum: ['policy', 'expiry'] },
          },
          required: ['type', 'password_policy'],
        },
      },
      required: ['type', 'data'],
      description: 'Choose another password.',
    },
    Channel: {
      type: 'string',
      enum: ['email', 'sms', 'whatsapp'],
      description: 'How a code or link is sent.',
    },
    CodeOption: {
      type: 'object',
      properties: {
        authentication: { type: 'string', enum: ['secondary_totp', 'recovery_code'] },
        bot_protection: {
          description: 'Present if the input must carry a `bot_protection`.',
          type: 'object',
          properties: {
            enabled: { type: 'boolean', const: true },
            provider: {
              type: 'object',
              properties: {
                type: { type: 'string', description: 'As `recaptchav2` or `cloudflare`.' },
              },
              required: ['type'],
            },
          },
          required: ['enabled', 'provider'],
        },
      },
      required: ['authentication'],
      description: 'By a code of an authenticator app, or a recovery code.',
    },
    CreateAuthenticatorAction: {
      type: 'object',
      properties: {
        type: { type: 'string', enum: ['create_authenticator', 'authenticate'] },
        data: {
          type: 'object',
          properties: {
            type: { type: 'string', const: 'create_authenticator_data' },
            options: {
              type: 'array',
              items: { $ref: '#/components/schemas/CreateAuthenticatorOption' },
            },
          },
          required: ['type', 'options'],
        },
      },
      required: ['type', 'data'],
      description: 'Set up an authenticator.',
    },
    CreateAuthenticatorInput: {
      anyOf: [
        {
          type: 'object',
          properties: {
            authentication: { type: 'string', enum: ['primary_password', 'secondary_password'] },
            new_password: { type: 'string' },
            bot_protection: {
              description: 'The response of the bot protection, if the option asks for it.',
              type: 'object',
              properties: { type: { type: 'string' }, response: { type: 'string' } },
              required: ['type', 'response'],
            },
          },
          required: ['authentication', 'new_password'],
        },
        {
          type: 'object',
          properties: {
            authentication: {
              type: 'string',
              enum: [
                'primary_oob_otp_email',
                'primary_oob_otp_sms',
                'secondary_oob_otp_email',
                'secondary_oob_otp_sms',
              ],
            },
            target: { description: 'The address, if the option has none.', type: 'string' },
            channel: { $ref: '#/components/schemas/Channel' },
            bot_protection: {
              description: 'The response of the bot protection, if the option asks for it.',
              type: 'object',
              properties: { type: { type: 'string' }, response: { type: 'string' } },
              required: ['type', 'response'],
            },
          },
          required: ['authentication'],
        },
        {
          type: 'object',
          properties: {
            authentication: { type: 'string', const: 'secondary_totp' },
            bot_protection: {
              description: 'The response of the bot protection, if the option asks for it.',
              type: 'object',
              properties: { type: { type: 'string' }, response: { type: 'string' } },
              required: ['type', 'response'],
            },
          },
          required: ['authentication'],
        },
      ],
      description: 'For a `CreateAuthenticatorAction`.',
    },
    CreateAuthenticatorOption: {
      anyOf: [
        { $ref: '#/components/schemas/CreatePasswordOption' },
        { $ref: '#/components/schemas/CreateOobOtpOption' },
        { $ref: '#/components/schemas/CreateTotpOption' },
      ],
      description: 'One authenticator that can be set up.',
    },
    CreateOobOtpOption: {
      type: 'object',
      properties: {
        authentication: {
          type: 'string',
          enum: [
            'primary_oob_otp_email',
            'primary_oob_otp_sms',
            'secondary_oob_otp_email',
            'secondary_oob_otp_sms',
          ],
        },
        otp_form: { $ref: '#/components/schemas/OtpForm' },
        channels: {
          type: 'array',
          items: { $ref: '#/components/schemas/Channel' },
          description: 'If there are several, the input names one.',
        },
        target: {
          description: 'Absent if the input names the address.',
          type: 'object',
          properties: {
            masked_display_name: { type: 'string' },
            verification_required: { type: 'boolean' },
          },
          required: ['masked_display_name', 'verification_required'],
        },
        bot_protection: {
          description: 'Present if the input must carry a `bot_protection`.',
          type: 'object',
          properties: {
            enabled: { type: 'boolean', const: true },
            provider: {
              type: 'object',
              properties: {
                type: { type: 'string', description: 'As `recaptchav2` or `cloudflare`.' },
              },
              required: ['type'],
            },
          },
          required: ['enabled', 'provider'],
        },
      },
      required: ['authentication', 'otp_form', 'channels'],
      description: 'Codes or links that are sent.',
    },
    CreatePasskeyAction: {
      type: 'object',
      properties: {
        type: { type: 'string', enum: ['prompt_create_passkey'] },
        data: {
          type: 'object',
          properties: {
            type: { type: 'string', const: 'create_passkey_data' },
            creation_options: { $ref: '#/components/schemas/PasskeyCreationOptions' },
            allow_do_not_ask_again: { type: 'boolean', const: true },
          },
          required: ['type', 'creation_options'],
        },
      },
      required: ['type', 'data'],
      description: 'Create a passkey, or decline.',
    },
    CreatePasskeyInput: {
      anyOf: [
        {
          type: 'object',
          properties: { creation_response: { $ref: '#/components/schemas/PasskeyCreation' } },
          required: ['creation_response'],
        },
        {
          type: 'object',
          properties: {
            skip: { type: 'boolean', const: true },
            do_not_ask_again: { type: 'boolean' },
          },
          required: ['skip'],
        },
      ],
      description: 'For a `CreatePasskeyAction`.',
    },
    CreatePasswordOption: {
      type: 'object',
      properties: {
        authentication: { type: 'string', enum: ['primary_password', 'secondary_password'] },
        password_policy: { $ref: '#/components/schemas/PasswordPolicy' },
        bot_protection: {
          description: 'Present if the input must carry a `bot_protection`.',
          type: 'object',
          properties: {
            enabled: { type: 'boolean', const: true },
            provider: {
              type: 'object',
              properties: {
                type: { type: 'string', description: 'As `recaptchav2` or `cloudflare`.' },
              },
              required: ['type'],
            },
          },
          required: ['enabled', 'provider'],
        },
      },
      required: ['authentication', 'password_policy'],
      description: 'A password.',
    },
    CreateTotpAction: {
      type: 'object',
      properties: {
        type: { type: 'string', enum: ['create_authenticator', 'authenticate'] },
        authentication: { type: 'string', const: 'secondary_totp' },
        data: {
          type: 'object',
          properties: {
            type: { type: 'string', const: 'create_totp_data' },
            secret: { type: 'string', description: 'Base32.' },
            otpauth_uri: { type: 'string' },
          },
          required: ['type', 'secret', 'otpauth_uri'],
        },
      },
      required: ['type', 'authentication', 'data'],
      description: 'Add the secret to an authenticator app, and send its first code.',
    },
    CreateTotpInput: {
      type: 'object',
      properties: { code: { type: 'string' } },
      required: ['code'],
      description: 'For a `CreateTotpAction`.',
    },
    CreateTotpOption: {
      type: 'object',
      properties: {
        authentication: { type: 'string', const: 'secondary_totp' },
        bot_protection: {
          description: 'Present if the input must carry a `bot_protection`.',
          type: 'object',
          properties: {
            enabled: { type: 'boolean', const: true },
            provider: {
              type: 'object',
              properties: {
                type: { type: 'string', description: 'As `recaptchav2` or `cloudflare`.' },
              },
              required: ['type'],
            },
          },
          required: ['enabled', 'provider'],
        },
      },
      required: ['authentication'],
      description: 'An authenticator app.',
    },
    CustomIdentity: {
      type: 'object',
      properties: {
        type: { type: 'string', const: 'custom' },
        identification: { type: 'string' },
        id: { type: 'string' },
        created_at: { type: 'string', format: 'date-time' },
        updated_at: { type: 'string', format: 'date-time' },
        email: { type: 'string' },
        phone_number: { type: 'string' },
        preferred_username: { type: 'string' },
        is_verified: { type: 'boolean', description: 'Whether its address is verified.' },
      },
      required: ['type', 'identification', 'id', 'created_at', 'updated_at', 'is_verified'],
      description: 'An identity of a kind of the app.',
    },
    FillInProfileAction: {
      type: 'object',
      properties: {
        type: { type: 'string', enum: ['fill_in_user_profile'] },
        data: { type: 'object', properties: {} },
      },
      required: ['type', 'data'],
      description: 'Fill in the profile. The configuration says which attributes.',
    },
    FillInProfileInput: {
      type: 'object',
      properties: {
        attributes: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              pointer: { type: 'string', description: 'As `/given_name`.' },
              value: {},
            },
            required: ['pointer', 'value'],
          },
        },
      },
      required: ['attributes'],
      description: 'For a `FillInProfileAction`.',
    },
    FinishedAction: {
      type: 'object',
      properties: {
        type: { type: 'string', enum: ['finished'] },
        data: {
          type: 'object',
          properties: {
            finish_redirect_uri: {
              description:
                'Where the browser continues, if the flow serves an authorization request.',
              type: 'string',
            },
          },
        },
      },
      required: ['type', 'data'],
      description: 'The flow has ended.',
    },
    FlowAction: {
      anyOf: [
        { $ref: '#/components/schemas/IdentifyAction' },
        { $ref: '#/components/schemas/RecoveryIdentifyAction' },
        { $ref: '#/components/schemas/LinkAccountAction' },
        { $ref: '#/components/schemas/ProviderAction' },
        { $ref: '#/components/schemas/AuthenticateAction' },
        { $ref: '#/components/schemas/CreateAuthenticatorAction' },
        { $ref: '#/components/schemas/CreateTotpAction' },
        { $ref: '#/components/schemas/SelectChannelAction' },
        { $ref: '#/components/schemas/VerifyOtpAction' },
        { $ref: '#/components/schemas/ViewRecoveryCodeAction' },
        { $ref: '#/components/schemas/CreatePasskeyAction' },
        { $ref: '#/components/schemas/ChangePasswordAction' },
        { $ref: '#/components/schemas/ResetPasswordAction' },
        { $ref: '#/components/schemas/SelectDestinationAction' },
        { $ref: '#/components/schemas/VerifyRecoveryCodeAction' },
        { $ref: '#/components/schemas/FillInProfileAction' },
        { $ref: '#/components/schemas/TerminateOtherSessionsAction' },
        { $ref: '#/components/schemas/FinishedAction' },
      ],
      description:
        'What a flow asks for. `type` is the step, `data.type` distinguishes its prompts.',
    },
    FlowInput: {
      anyOf: [
        { $ref: '#/components/schemas/IdentifyInput' },
        { $ref: '#/components/schemas/RecoveryIdentifyInput' },
        { $ref: '#/components/schemas/LinkAccountInput' },
        { $ref: '#/components/schemas/ProviderInput' },
        { $ref: '#/components/schemas/AuthenticateInput' },
        { $ref: '#/components/schemas/CreateAuthenticatorInput' },
        { $ref: '#/components/schemas/CreateTotpInput' },
        { $ref: '#/components/schemas/SelectChannelInput' },
        { $ref: '#/components/schemas/VerifyOtpInput' },
        { $ref: '#/components/schemas/ViewRecoveryCodeInput' },
        { $ref: '#/components/schemas/CreatePasskeyInput' },
        { $ref: '#/components/schemas/NewPasswordInput' },
        { $ref: '#/components/schemas/SelectDestinationInput' },
        { $ref: '#/components/schemas/VerifyRecoveryCodeInput' },
        { $ref: '#/components/schemas/FillInProfileInput' },
        { $ref: '#/components/schemas/TerminateOtherSessionsInput' },
      ],
      description: 'An input for an action of a flow.',
    },
    FlowState: {
      type: 'object',
      properties: {
        state_token: {
          type: 'string',
          description: 'Takes the next input. Who has it drives the flow.',
        },
        type: {
          description: 'A `signup_login` becomes one of the two once the user is known.',
          $ref: '#/components/schemas/FlowType',
        },
        name: { type: 'string' },
        action: { $ref: '#/components/schemas/FlowAction' },
      },
      required: ['state_token', 'type', 'name', 'action'],
      description: 'A state of a flow.',
    },
    FlowType: {
      type: 'string',
      enum: ['signup', 'promote', 'login', 'signup_login', 'reauth', 'account_recovery', 'account'],
      description: 'The type of a flow.',
    },
    IdTokenOption: {
      type: 'object',
      properties: {
        identification: { type: 'string', const: 'id_token' },
        bot_protection: {
          description: 'Present if the input must carry a `bot_protection`.',
          type: 'object',
          properties: {
            enabled: { type: 'boolean', const: true },
            provider: {
              type: 'object',
              properties: {
                type: { type: 'string', description: 'As `recaptchav2` or `cloudflare`.' },
              },
              required: ['type'],
            },
          },
          required: ['enabled', 'provider'],
        },
      },
      required: ['identification'],
      description: 'By an ID token of the app.',
    },
    IdentificationName: {
      type: 'string',
      enum: [
        'email',
        'phone',
        'username',
        'oauth',
        'passkey',
        'select_account',
        'id_token',
        'ldap',
      ],
      description: 'The name of an identification.',
    },
    IdentifyAction: {
      type: 'object',
      properties: {
        type: { type: 'string', enum: ['identify'] },
        data: {
          type: 'object',
          properties: {
            type: { type: 'string', const: 'identification_data' },
            options: { type: 'array', items: { $ref: '#/components/schemas/IdentifyOption' } },
          },
          required: ['type', 'options'],
        },
      },
      required: ['type', 'data'],
      description: 'Say who you are.',
    },
    IdentifyInput: {
      anyOf: [
        {
          type: 'object',
          properties: {
            identification: { type: 'string', enum: ['email', 'phone', 'username'] },
            login_id: { type: 'string' },
            bot_protection: {
              description: 'The response of the bot protection, if the option asks for it.',
              type: 'object',
              properties: { type: { type: 'string' }, response: { type: 'string' } },
              required: ['type', 'response'],
            },
          },
          required: ['identification', 'login_id'],
        },
        {
          type: 'object',
          properties: {
            identification: { type: 'string', const: 'oauth' },
            alias: { type: 'string' },
            redirect_uri: {
              type: 'string',
              description: 'Where the provider sends the browser back to.',
            },
            response_mode: { type: 'string', enum: ['form_post', 'query'] },
            bot_protection: {
              description: 'The response of the bot protection, if the option asks for it.',
              type: 'object',
              properties: { type: { type: 'string' }, response: { type: 'string' } },
              required: ['type', 'response'],
            },
          },
          required: ['identification', 'alias', 'redirect_uri'],
        },
        {
          type: 'object',
          properties: {
            identification: { type: 'string', const: 'passkey' },
            assertion_response: { $ref: '#/components/schemas/PasskeyAssertion' },
            bot_protection: {
              description: 'The response of the bot protection, if the option asks for it.',
              type: 'object',
              properties: { type: { type: 'string' }, response: { type: 'string' } },
              required: ['type', 'response'],
            },
          },
          required: ['identification', 'assertion_response'],
        },
        {
          type: 'object',
          properties: {
            identification: { type: 'string', const: 'select_account' },
            index: { type: 'integer', description: 'The position of the option.' },
            bot_protection: {
              description: 'The response of the bot protection, if the option asks for it.',
              type: 'object',
              properties: { type: { type: 'string' }, response: { type: 'string' } },
              required: ['type', 'response'],
            },
          },
          required: ['identification', 'index'],
        },
        {
          type: 'object',
          properties: {
            identification: { type: 'string', const: 'id_token' },
            id_token: { type: 'string' },
            bot_protection: {
              description: 'The response of the bot protection, if the option asks for it.',
              type: 'object',
              properties: { type: { type: 'string' }, response: { type: 'string' } },
              required: ['type', 'response'],
            },
          },
          required: ['identification', 'id_token'],
        },
        {
          type: 'object',
          properties: {
            identification: { type: 'string', enum: ['email', 'phone', 'username'] },
            external_jwt: {
              type: 'string',
              description: 'A token of another issuer, in a sign-up.',
            },
            bot_protection: {
              description: 'The response of the bot protection, if the option asks for it.',
              type: 'object',
              properties: { type: { type: 'string' }, response: { type: 'string' } },
              required: ['type', 'response'],
            },
          },
          required: ['identification', 'external_jwt'],
        },
        {
          type: 'object',
          properties: {
            identification: { type: 'string', const: 'ldap' },
            server_name: { type: 'string' },
            username: { type: 'string' },
            password: { type: 'string' },
            bot_protection: {
              description: 'The response of the bot protection, if the option asks for it.',
              type: 'object',
              properties: { type: { type: 'string' }, response: { type: 'string' } },
              required: ['type', 'response'],
            },
          },
          required: ['identification', 'server_name', 'username', 'password'],
        },
      ],
      description: 'For an `IdentifyAction`.',
    },
    IdentifyOption: {
      anyOf: [
        { $ref: '#/components/schemas/LoginIdOption' },
        { $ref: '#/components/schemas/ProviderOption' },
        { $ref: '#/components/schemas/PasskeyOption' },
        { $ref: '#/components/schemas/SelectAccountOption' },
        { $ref: '#/components/schemas/IdTokenOption' },
        { $ref: '#/components/schemas/LdapOption' },
      ],
      description: 'One way to say who one is.',
    },
    Identity: {
      anyOf: [
        { $ref: '#/components/schemas/LoginIdIdentity' },
        { $ref: '#/components/schemas/ProviderIdentity' },
        { $ref: '#/components/schemas/AnonymousIdentity' },
        { $ref: '#/components/schemas/CustomIdentity' },
      ],
      description: 'Something by which a user is identified.',
    },
    ImportOutcome: {
      anyOf: [
        {
          type: 'object',
          properties: {
            outcome: { type: 'string', const: 'inserted' },
            userId: { type: 'string' },
          },
          required: ['outcome', 'userId'],
        },
        {
          type: 'object',
          properties: {
            outcome: { type: 'string', const: 'failed' },
            error: {
              type: 'object',
              properties: {
                reason: { type: 'string' },
                message: { type: 'string' },
                info: { type: 'object', additionalProperties: {} },
              },
              required: ['reason', 'message', 'info'],
            },
          },
          required: ['outcome', 'error'],
        },
      ],
      description: 'The outcome of a record.',
    },
    ImportedUser: {
      type: 'object',
      properties: {
        id: {
          description: 'At most 64 letters, digits, `-` and `_` (default: a new one).',
          type: 'string',
        },
        created_at: { type: 'string', format: 'date-time' },
        last_login_at: { type: 'string', format: 'date-time' },
        email: { type: 'string' },
        email_verified: { type: 'boolean' },
        phone_number: { type: 'string' },
        phone_number_verified: { type: 'boolean' },
        preferred_username: { type: 'string' },
        identities: { type: 'array', items: { type: 'object', additionalProperties: {} } },
        passkeys: { type: 'array', items: { type: 'object', additionalProperties: {} } },
        mfa: {
          type: 'object',
          properties: {
            email: { type: 'string' },
            phone_number: { type: 'string' },
            password: { $ref: '#/components/schemas/PasswordHash' },
            totp: {
              type: 'object',
              properties: { secret: { type: 'string' }, display_name: { type: 'string' } },
              required: ['secret'],
            },
            recovery_codes: { type: 'array', items: { type: 'string' } },
          },
        },
        disabled: { type: 'boolean' },
        disable_reason: { type: 'string' },
        account_valid_from: { type: 'string', format: 'date-time' },
        account_valid_until: { type: 'string', format: 'date-time' },
        standard_attributes: { type: 'object', additionalProperties: {} },
        custom_attributes: { type: 'object', additionalProperties: {} },
        password: { $ref: '#/components/schemas/PasswordHash' },
      },
      description: 'A user as exported from another system.',
    },
    LdapOption: {
      type: 'object',
      properties: {
        identification: { type: 'string', const: 'ldap' },
        server_name: { type: 'string' },
        bot_protection: {
          description: 'Present if the input must carry a `bot_protection`.',
          type: 'object',
          properties: {
            enabled: { type: 'boolean', const: true },
            provider: {
              type: 'object',
              properties: {
                type: { type: 'string', description: 'As `recaptchav2` or `cloudflare`.' },
              },
              required: ['type'],
            },
          },
          required: ['enabled', 'provider'],
        },
      },
      required: ['identification', 'server_name'],
      description: 'By name and password of a directory.',
    },
    LinkAccountAction: {
      type: 'object',
      properties: {
        type: { type: 'string', enum: ['identify'] },
        identification: { $ref: '#/components/schemas/IdentificationName' },
        data: {
          type: 'object',
          properties: {
            type: { type: 'string', const: 'account_linking_identification_data' },
            options: { type: 'array', items: { $ref: '#/components/schemas/LinkAccountOption' } },
          },
          required: ['type', 'options'],
        },
      },
      required: ['type', 'identification', 'data'],
      description: 'An account with the same address exists: sign in to it.',
    },
    LinkAccountInput: {
      type: 'object',
      properties: {
        index: { type: 'integer', description: 'The position of the option.' },
        redirect_uri: { description: 'For an identity provider.', type: 'string' },
        response_mode: { type: 'string', enum: ['form_post', 'query'] },
        bot_protection: {
          description: 'The response of the bot protection, if the option asks for it.',
          type: 'object',
          properties: { type: { type: 'string' }, response: { type: 'string' } },
          required: ['type', 'response'],
        },
      },
      required: ['index'],
      description: 'For a `LinkAccountAction`.',
    },
    LinkAccountOption: {
      anyOf: [
        { $ref: '#/components/schemas/PlainLinkingOption' },
        { $ref: '#/components/schemas/ProviderLinkingOption' },
      ],
      description: 'One way to sign in to the existing account.',
    },
    Lockout: {
      type: 'object',
      properties: {
        attempts: { type: 'integer', description: 'How many failed.' },
        lockoutType: {
          anyOf: [{ type: 'string', enum: ['per_user', 'per_user_per_ip'] }, { type: 'null' }],
        },
        lockedUntil: { anyOf: [{ type: 'string', format: 'date-time' }, { type: 'null' }] },
        addresses: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              ip: { type: 'string' },
              lockedUntil: { type: 'string', format: 'date-time' },
            },
            required: ['ip', 'lockedUntil'],
          },
          description: 'The locked addresses; empty if the whole account is locked.',
        },
      },
      required: ['attempts', 'lockoutType', 'lockedUntil', 'addresses'],
      description: 'The failed attempts against a user.',
    },
    LoginIdIdentity: {
      type: 'object',
      properties: {
        type: { type: 'string', const: 'login_id' },
        login_id_type: { type: 'string', enum: ['email', 'phone', 'username'] },
        login_id_key: { type: 'string' },
        original: { type: 'string', description: 'As typed.' },
        normalized: { type: 'string' },
        id: { type: 'string' },
        created_at: { type: 'string', format: 'date-time' },
        updated_at: { type: 'string', format: 'date-time' },
        email: { type: 'string' },
        phone_number: { type: 'string' },
        preferred_username: { type: 'string' },
        is_verified: { type: 'boolean', description: 'Whether its address is verified.' },
      },
      required: [
        'type',
        'login_id_type',
        'login_id_key',
        'original',
        'normalized',
        'id',
        'created_at',
        'updated_at',
        'is_verified',
      ],
      description: 'An address or name that the user signs in with.',
    },
    LoginIdOption: {
      type: 'object',
      properties: {
        identification: { type: 'string', enum: ['email', 'phone', 'username'] },
        bot_protection: {
          description: 'Present if the input must carry a `bot_protection`.',
          type: 'object',
          properties: {
            enabled: { type: 'boolean', const: true },
            provider: {
              type: 'object',
              properties: {
                type: { type: 'string', description: 'As `recaptchav2` or `cloudflare`.' },
              },
              required: ['type'],
            },
          },
          required: ['enabled', 'provider'],
        },
      },
      required: ['identification'],
      description: 'By an email address, a phone number or a username.',
    },
    NewPasswordInput: {
      type: 'object',
      properties: { new_password: { type: 'string' } },
      required: ['new_password'],
      description: 'For a `ChangePasswordAction` and a `ResetPasswordAction`.',
    },
    NewUser: {
      type: 'object',
      properties: {
        id: {
          description: 'At most 64 letters, digits, `-` and `_` (default: a new one).',
          type: 'string',
        },
        createdAt: { type: 'string', format: 'date-time' },
        lastLoginAt: { type: 'string', format: 'date-time' },
        email: { type: 'string' },
        email_verified: { type: 'boolean' },
        phone_number: { type: 'string' },
        phone_number_verified: { type: 'boolean' },
        preferred_username: { type: 'string' },
        identities: { type: 'array', items: { type: 'object', additionalProperties: {} } },
        passkeys: { type: 'array', items: { type: 'object', additionalProperties: {} } },
        mfa: {
          type: 'object',
          properties: {
            email: { type: 'string' },
            phone_number: { type: 'string' },
            password: { $ref: '#/components/schemas/UserPasswordHash' },
            totp: {
              type: 'object',
              properties: { secret: { type: 'string' }, displayName: { type: 'string' } },
              required: ['secret'],
            },
            recoveryCodes: { type: 'array', items: { type: 'string' } },
          },
        },
        disabled: { type: 'boolean' },
        disableReason: { type: 'string' },
        accountValidFrom: { type: 'string', format: 'date-time' },
        accountValidUntil: { type: 'string', format: 'date-time' },
        standardAttributes: { type: 'object', additionalProperties: {} },
        customAttributes: { type: 'object', additionalProperties: {} },
        password: {
          anyOf: [{ type: 'string' }, { $ref: '#/components/schemas/UserPasswordHash' }],
        },
      },
      description: 'A user to create, with at least one login ID.',
    },
    OobOtpOption: {
      type: 'object',
      properties: {
        authentication: {
          type: 'string',
          enum: [
            'primary_oob_otp_email',
            'primary_oob_otp_sms',
            'secondary_oob_otp_email',
            'secondary_oob_otp_sms',
          ],
        },
        masked_display_name: { type: 'string' },
        otp_form: { $ref: '#/components/schemas/OtpForm' },
        channels: {
          type: 'array',
          items: { $ref: '#/components/schemas/Channel' },
          description: 'If there are several, the input names one.',
        },
        bot_protection: {
          description: 'Present if the input must carry a `bot_protection`.',
          type: 'object',
          properties: {
            enabled: { type: 'boolean', const: true },
            provider: {
              type: 'object',
              properties: {
                type: { type: 'string', description: 'As `recaptchav2` or `cloudflare`.' },
              },
              required: ['type'],
            },
          },
          required: ['enabled', 'provider'],
        },
      },
      required: ['authentication', 'masked_display_name', 'otp_form', 'channels'],
      description: 'By a code or link that is sent.',
    },
    OtpForm: {
      type: 'string',
      enum: ['code', 'link'],
      description: 'What is sent: a code to type, or a link to open.',
    },
    PasskeyAssertion: {
      type: 'object',
      properties: {
        id: { type: 'string' },
        rawId: { type: 'string' },
        type: { type: 'string', const: 'public-key' },
        response: {
          type: 'object',
          properties: {
            authenticatorData: { type: 'string' },
            clientDataJSON: { type: 'string' },
            signature: { type: 'string' },
            userHandle: { type: ['string', 'null'] },
          },
          required: ['authenticatorData', 'clientDataJSON', 'signature'],
          additionalProperties: {},
        },
      },
      required: ['id', 'rawId', 'type', 'response'],
      additionalProperties: {},
      description: '`AuthenticationResponseJSON` of WebAuthn: a use of a passkey.',
    },
    PasskeyAuthenticationOption: {
      type: 'object',
      properties: {
        authentication: { type: 'string', const: 'primary_passkey' },
        request_options: { $ref: '#/components/schemas/PasskeyRequestOptions' },
        bot_protection: {
          description: 'Present if the input must carry a `bot_protection`.',
          type: 'object',
          properties: {
            enabled: { type: 'boolean', const: true },
            provider: {
              type: 'object',
              properties: {
                type: { type: 'string', description: 'As `recaptchav2` or `cloudflare`.' },
              },
              required: ['type'],
            },
          },
          required: ['enabled', 'provider'],
        },
      },
      required: ['authentication', 'request_options'],
      description: 'By a passkey of the user.',
    },
    PasskeyCreation: {
      type: 'object',
      properties: {
        id: { type: 'string' },
        rawId: { type: 'string' },
        type: { type: 'string', const: 'public-key' },
        response: {
          type: 'object',
          properties: { attestationObject: { type: 'string' }, clientDataJSON: { type: 'string' } },
          required: ['attestationObject', 'clientDataJSON'],
          additionalProperties: {},
        },
      },
      required: ['id', 'rawId', 'type', 'response'],
      additionalProperties: {},
      description: '`RegistrationResponseJSON` of WebAuthn: a new passkey.',
    },
    PasskeyCreationOptions: {
      type: 'object',
      properties: { challenge: { type: 'string', description: 'Base64url.' } },
      required: ['challenge'],
      additionalProperties: {},
      description:
        '`PublicKeyCredentialCreationOptions` in JSON, for `navigator.credentials.create()`.',
    },
    PasskeyOption: {
      type: 'object',
      properties: {
        identification: { type: 'string', const: 'passkey' },
        request_options: { $ref: '#/components/schemas/PasskeyRequestOptions' },
        bot_protection: {
          description: 'Present if the input must carry a `bot_protection`.',
          type: 'object',
          properties: {
            enabled: { type: 'boolean', const: true },
            provider: {
              type: 'object',
              properties: {
                type: { type: 'string', description: 'As `recaptchav2` or `cloudflare`.' },
              },
              required: ['type'],
            },
          },
          required: ['enabled', 'provider'],
        },
      },
      required: ['identification', 'request_options'],
      description: 'By a passkey that the user chooses in the browser.',
    },
    PasskeyRequestOptions: {
      type: 'object',
      properties: { challenge: { type: 'string', description: 'Base64url.' } },
      required: ['challenge'],
      additionalProperties: {},
      description:
        '`PublicKeyCredentialRequestOptions` in JSON, for `navigator.credentials.get()`.',
    },
    PasswordHash: {
      type: 'object',
      properties: {
        type: { type: 'string', enum: ['bcrypt', 'scrypt', 'argon2', 'pbkdf2'] },
        password_hash: { type: 'string' },
        set_at: { type: 'string', format: 'date-time' },
        expire_after: { type: 'string', format: 'date-time' },
      },
      required: ['type', 'password_hash'],
      description: 'The hash of a password of another system.',
    },
    PasswordOption: {
      type: 'object',
      properties: {
        authentication: { type: 'string', enum: ['primary_password', 'secondary_password'] },
        password_policy: { $ref: '#/components/schemas/PasswordPolicy' },
        bot_protection: {
          description: 'Present if the input must carry a `bot_protection`.',
          type: 'object',
          properties: {
            enabled: { type: 'boolean', const: true },
            provider: {
              type: 'object',
              properties: {
                type: { type: 'string', description: 'As `recaptchav2` or `cloudflare`.' },
              },
              required: ['type'],
            },
          },
          required: ['enabled', 'provider'],
        },
      },
      required: ['authentication', 'password_policy'],
      description: 'By a password.',
    },
    PasswordPolicy: {
      type: 'object',
      properties: {
        minimum_length: { type: 'integer' },
        uppercase_required: { type: 'boolean', const: true },
        lowercase_required: { type: 'boolean', const: true },
        alphabet_required: { type: 'boolean', const: true },
        digit_required: { type: 'boolean', const: true },
        symbol_required: { type: 'boolean', const: true },
        minimum_zxcvbn_score: { description: 'From 0 to 4.', type: 'integer' },
        excluded_keywords: { type: 'array', items: { type: 'string' } },
        history: {
          type: 'object',
          properties: {
            enabled: { type: 'boolean' },
            size: { type: 'integer' },
            days: { type: 'integer' },
          },
          required: ['enabled'],
        },
      },
      required: ['minimum_length', 'history'],
      description: 'What a new password must fulfil.',
    },
    PlainLinkingOption: {
      type: 'object',
      properties: {
        identification: {
          type: 'string',
          enum: ['email', 'phone', 'username', 'passkey', 'id_token', 'ldap'],
        },
        action: { type: 'string', const: 'login_and_link' },
        masked_display_name: { type: 'string' },
        bot_protection: {
          description: 'Present if the input must carry a `bot_protection`.',
          type: 'object',
          properties: {
            enabled: { type: 'boolean', const: true },
            provider: {
              type: 'object',
              properties: {
                type: { type: 'string', description: 'As `recaptchav2` or `cloudflare`.' },
              },
              required: ['type'],
            },
          },
          required: ['enabled', 'provider'],
        },
      },
      required: ['identification', 'action', 'masked_display_name'],
      description: 'By a way that needs nothing here.',
    },
    PolicyCause: {
      type: 'object',
      properties: {
        Name: { type: 'string', description: 'As `PasswordTooShort`.' },
        Info: { type: 'object', additionalProperties: {} },
      },
      required: ['Name'],
      description: 'What a password lacks.',
    },
    ProfileChange: {
      type: 'object',
      properties: {
        pointer: { type: 'string', description: 'As `/given_name`.' },
        value: { description: 'Absent to erase the attribute.' },
      },
      required: ['pointer'],
      description: 'A change of one attribute.',
    },
    ProviderAction: {
      type: 'object',
      properties: {
        type: { type: 'string', enum: ['identify'] },
        identification: { type: 'string', const: 'oauth' },
        data: {
          type: 'object',
          properties: {
            type: { type: 'string', const: 'oauth_data' },
            oauth_provider_type: { type: 'string', description: 'As `google`.' },
            oauth_provider_alias: { type: 'string' },
            alias: { type: 'string' },
            provider_status: {
              type: 'string',
              enum: ['active', 'missing_credentials', 'using_demo_credentials'],
            },
            wechat_app_type: { type: 'string' },
            oauth_authorization_url: { type: 'string' },
          },
          required: [
            'type',
            'oauth_provider_type',
            'oauth_provider_alias',
            'alias',
            'provider_status',
            'oauth_authorization_url',
          ],
        },
      },
      required: ['type', 'identification', 'data'],
      description: 'Go to the identity provider, and come back with its answer.',
    },
    ProviderIdentity: {
      type: 'object',
      properties: {
        type: { type: 'string', const: 'oauth' },
        provider_type: { type: 'string' },
        provider_alias: { type: 'string' },
        subject: { type: 'string' },
        claims: { type: 'object', additionalProperties: {} },
        profile: {
          description: 'All claims as the provider sent them.',
          type: 'object',
          additionalProperties: {},
        },
        id: { type: 'string' },
        created_at: { type: 'string', format: 'date-time' },
        updated_at: { type: 'string', format: 'date-time' },
        email: { type: 'string' },
        phone_number: { type: 'string' },
        preferred_username: { type: 'string' },
        is_verified: { type: 'boolean', description: 'Whether its address is verified.' },
      },
      required: [
        'type',
        'provider_type',
        'provider_alias',
        'subject',
        'claims',
        'id',
        'created_at',
        'updated_at',
        'is_verified',
      ],
      description: 'An account at an identity provider.',
    },
    ProviderInput: {
      anyOf: [
        {
          type: 'object',
          properties: {
            query: {
              type: 'string',
              description: 'The query of the address that the provider led to.',
            },
            code: { type: 'string' },
          },
          required: ['query'],
        },
        { type: 'object', properties: { code: { type: 'string' } }, required: ['code'] },
        {
          type: 'object',
          properties: {
            error: { type: 'string' },
            error_description: { type: 'string' },
            error_uri: { type: 'string' },
          },
          required: ['error'],
        },
      ],
      description: 'For a `ProviderAction`: the answer of the provider.',
    },
    ProviderLinkingOption: {
      type: 'object',
      properties: {
        identification: { type: 'string', const: 'oauth' },
        oauth_provider_type: { type: 'string', description: 'As `google`.' },
        oauth_provider_alias: { type: 'string' },
        provider_type: { type: 'string', description: 'The older name of `oauth_provider_type`.' },
        alias: { type: 'string' },
        provider_status: {
          type: 'string',
          enum: ['active', 'missing_credentials', 'using_demo_credentials'],
        },
        wechat_app_type: { type: 'string' },
        action: { type: 'string', const: 'login_and_link' },
        masked_display_name: { type: 'string' },
        bot_protection: {
          description: 'Present if the input must carry a `bot_protection`.',
          type: 'object',
          properties: {
            enabled: { type: 'boolean', const: true },
            provider: {
              type: 'object',
              properties: {
                type: { type: 'string', description: 'As `recaptchav2` or `cloudflare`.' },
              },
              required: ['type'],
            },
          },
          required: ['enabled', 'provider'],
        },
      },
      required: [
        'identification',
        'oauth_provider_type',
        'oauth_provider_alias',
        'provider_type',
        'alias',
        'provider_status',
        'action',
        'masked_display_name',
      ],
      description: 'By an identity provider.',
    },
    ProviderOption: {
      type: 'object',
      properties: {
        identification: { type: 'string', const: 'oauth' },
        oauth_provider_type: { type: 'string', description: 'As `google`.' },
        oauth_provider_alias: { type: 'string' },
        provider_type: { type: 'string', description: 'The older name of `oauth_provider_type`.' },
        alias: { type: 'string' },
        provider_status: {
          type: 'string',
          enum: ['active', 'missing_credentials', 'using_demo_credentials'],
        },
        wechat_app_type: { type: 'string' },
        bot_protection: {
          description: 'Present if the input must carry a `bot_protection`.',
          type: 'object',
          properties: {
            enabled: { type: 'boolean', const: true },
            provider: {
              type: 'object',
              properties: {
                type: { type: 'string', description: 'As `recaptchav2` or `cloudflare`.' },
              },
              required: ['type'],
            },
          },
          required: ['enabled', 'provider'],
        },
      },
      required: [
        'identification',
        'oauth_provider_type',
        'oauth_provider_alias',
        'provider_type',
        'alias',
        'provider_status',
      ],
      description: 'By an account of an identity provider.',
    },
    RecoveryIdentifyAction: {
      type: 'object',
      properties: {
        type: { type: 'string', enum: ['identify'] },
        data: {
          type: 'object',
          properties: {
            type: { type: 'string', const: 'account_recovery_identification_data' },
            options: { type: 'array', items: { $ref: '#/components/schemas/IdentifyOption' } },
          },
          required: ['type', 'options'],
        },
      },
      required: ['type', 'data'],
      description: 'Say whose account is to be recovered.',
    },
    RecoveryIdentifyInput: {
      type: 'object',
      properties: {
        identification: { type: 'string', enum: ['email', 'phone', 'username'] },
        login_id: { type: 'string' },
        bot_protection: {
          description: 'The response of the bot protection, if the option asks for it.',
          type: 'object',
          properties: { type: { type: 'string' }, response: { type: 'string' } },
          required: ['type', 'response'],
        },
      },
      required: ['identification', 'login_id'],
      description: 'For a `RecoveryIdentifyAction`.',
    },
    ResetPasswordAction: {
      type: 'object',
      properties: {
        type: { type: 'string', enum: ['reset_password'] },
        data: {
          type: 'object',
          properties: {
            type: { type: 'string', const: 'new_password_data' },
            password_policy: { $ref: '#/components/schemas/PasswordPolicy' },
            masked_target: { type: 'string' },
          },
          required: ['type', 'password_policy'],
        },
      },
      required: ['type', 'data'],
      description: 'Choose the new password of a recovered account.',
    },
    SelectAccountOption: {
      type: 'object',
      properties: {
        identification: { type: 'string', const: 'select_account' },
        display_name: { description: 'Absent in a browser without the session.', type: 'string' },
        user_id: { type: 'string' },
        bot_protection: {
          description: 'Present if the input must carry a `bot_protection`.',
          type: 'object',
          properties: {
            enabled: { type: 'boolean', const: true },
            provider: {
              type: 'object',
              properties: {
                type: { type: 'string', description: 'As `recaptchav2` or `cloudflare`.' },
              },
              required: ['type'],
            },
          },
          required: ['enabled', 'provider'],
        },
      },
      required: ['identification'],
      description: 'By the session that the browser has.',
    },
    SelectChannelAction: {
      type: 'object',
      properties: {
        type: { type: 'string', enum: ['verify', 'authenticate', 'create_authenticator'] },
        authentication: { $ref: '#/components/schemas/AuthenticationName' },
        data: {
          type: 'object',
          properties: {
            type: { type: 'string', const: 'select_oob_otp_channels_data' },
            channels: { type: 'array', items: { $ref: '#/components/schemas/Channel' } },
            masked_claim_value: { type: 'string' },
          },
          required: ['type', 'channels', 'masked_claim_value'],
        },
      },
      required: ['type', 'data'],
      description: 'Choose how the code is sent.',
    },
    SelectChannelInput: {
      type: 'object',
      properties: { channel: { $ref: '#/components/schemas/Channel' } },
      required: ['channel'],
      description: 'For a `SelectChannelAction`.',
    },
    SelectDestinationAction: {
      type: 'object',
      properties: {
        type: { type: 'string', enum: ['select_destination'] },
        data: {
          type: 'object',
          properties: {
            type: { type: 'string', const: 'account_recovery_select_destination_data' },
            options: {
              type: 'array',
              items: {
                type: 'object',
                properties: {
                  masked_display_name: { type: 'string' },
                  channel: { $ref: '#/components/schemas/Channel' },
                  otp_form: { $ref: '#/components/schemas/OtpForm' },
                },
                required: ['masked_display_name', 'channel', 'otp_form'],
              },
            },
          },
          required: ['type', 'options'],
        },
      },
      required: ['type', 'data'],
      description: 'Choose where the code of an account recovery goes.',
    },
    SelectDestinationInput: {
      type: 'object',
      properties: { index: { type: 'integer', description: 'The position of the option.' } },
      required: ['index'],
      description: 'For a `SelectDestinationAction`.',
    },
    TerminateOtherSessionsAction: {
      type: 'object',
      properties: {
        type: { type: 'string', enum: ['terminate_other_sessions'] },
        data: { type: 'object', properties: {} },
      },
      required: ['type', 'data'],
      description: 'Confirm that the other sessions end.',
    },
    TerminateOtherSessionsInput: {
      type: 'object',
      properties: { confirm_terminate_other_sessions: { type: 'boolean', const: true } },
      required: ['confirm_terminate_other_sessions'],
      description: 'For a `TerminateOtherSessionsAction`.',
    },
    User: {
      type: 'object',
      properties: {
        id: { type: 'string' },
        createdAt: { type: 'string', format: 'date-time' },
        updatedAt: { type: 'string', format: 'date-time' },
        lastLoginAt: { anyOf: [{ type: 'string', format: 'date-time' }, { type: 'null' }] },
        isDisabled: { type: 'boolean' },
        disableReason: { type: ['string', 'null'] },
        deleteAt: { anyOf: [{ type: 'string', format: 'date-time' }, { type: 'null' }] },
        isAnonymized: { type: 'boolean' },
        anonymizeAt: { anyOf: [{ type: 'string', format: 'date-time' }, { type: 'null' }] },
        accountValidFrom: { anyOf: [{ type: 'string', format: 'date-time' }, { type: 'null' }] },
        accountValidUntil: { anyOf: [{ type: 'string', format: 'date-time' }, { type: 'null' }] },
        standardAttributes: {
          type: 'object',
          additionalProperties: {},
          description: 'Claims of OpenID Connect, as `given_name`.',
        },
        customAttributes: { type: 'object', additionalProperties: {} },
      },
      required: [
        'id',
        'createdAt',
        'updatedAt',
        'lastLoginAt',
        'isDisabled',
        'disableReason',
        'deleteAt',
        'isAnonymized',
        'anonymizeAt',
        'accountValidFrom',
        'accountValidUntil',
        'standardAttributes',
        'customAttributes',
      ],
      description: 'A user as operators see it.',
    },
    UserAccount: {
      type: 'object',
      properties: {
        user: { $ref: '#/components/schemas/User' },
        isVerified: { type: 'boolean' },
        identities: { type: 'array', items: { $ref: '#/components/schemas/UserIdentity' } },
        authenticators: {
          type: 'array',
          items: { $ref: '#/components/schemas/UserAuthenticator' },
        },
        recoveryCodes: { type: 'integer', description: 'How many are left.' },
        deviceTokens: { type: 'integer', description: 'How many devices are trusted.' },
        sessions: { type: 'array', items: { $ref: '#/components/schemas/UserSession' } },
        lockout: { $ref: '#/components/schemas/Lockout' },
      },
      required: [
        'user',
        'isVerified',
        'identities',
        'authenticators',
        'recoveryCodes',
        'deviceTokens',
        'sessions',
        'lockout',
      ],
      description: 'All that operators see of a user.',
    },
    UserAnonymousIdentity: {
      type: 'object',
      properties: {
        type: { type: 'string', const: 'anonymous' },
        id: { type: 'string' },
        createdAt: { type: 'string', format: 'date-time' },
        updatedAt: { type: 'string', format: 'date-time' },
        email: { type: 'string' },
        phone_number: { type: 'string' },
        preferred_username: { type: 'string' },
        isVerified: { type: 'boolean', description: 'Whether its address is verified.' },
      },
      required: ['type', 'id', 'createdAt', 'updatedAt', 'isVerified'],
      description: 'The identity of an anonymous user.',
    },
    UserAuthenticator: {
      type: 'object',
      properties: {
        id: { type: 'string' },
        type: {
          type: 'string',
          enum: ['password', 'oob_otp_email', 'oob_otp_sms', 'totp', 'passkey', 'custom'],
        },
        kind: { type: 'string', enum: ['primary', 'secondary'] },
        authentication: { type: 'string', description: 'Its name in flows, as `secondary_totp`.' },
        createdAt: { type: 'string', format: 'date-time' },
        updatedAt: { type: 'string', format: 'date-time' },
        target: { description: 'Where codes go.', type: 'string' },
        displayName: {
          description: 'The name of an authenticator app or a passkey.',
          type: 'string',
        },
        expireAfter: {
          description: 'When a password must be changed.',
          type: 'string',
          format: 'date-time',
        },
      },
      required: ['id', 'type', 'kind', 'authentication', 'createdAt', 'updatedAt'],
      description: 'Something that a user authenticates with.',
    },
    UserCustomIdentity: {
      type: 'object',
      properties: {
        type: { type: 'string', const: 'custom' },
        identification: { type: 'string' },
        id: { type: 'string' },
        createdAt: { type: 'string', format: 'date-time' },
        updatedAt: { type: 'string', format: 'date-time' },
        email: { type: 'string' },
        phone_number: { type: 'string' },
        preferred_username: { type: 'string' },
        isVerified: { type: 'boolean', description: 'Whether its address is verified.' },
      },
      required: ['type', 'identification', 'id', 'createdAt', 'updatedAt', 'isVerified'],
      description: 'An identity of a kind of the app.',
    },
    UserIdentity: {
      anyOf: [
        { $ref: '#/components/schemas/UserLoginIdIdentity' },
        { $ref: '#/components/schemas/UserProviderIdentity' },
        { $ref: '#/components/schemas/UserAnonymousIdentity' },
        { $ref: '#/components/schemas/UserCustomIdentity' },
      ],
      description: 'Something by which a user is identified.',
    },
    UserLoginIdIdentity: {
      type: 'object',
      properties: {
        type: { type: 'string', const: 'login_id' },
        loginIdType: { type: 'string', enum: ['email', 'phone', 'username'] },
        loginIdKey: { type: 'string' },
        original: { type: 'string', description: 'As typed.' },
        normalized: { type: 'string' },
        id: { type: 'string' },
        createdAt: { type: 'string', format: 'date-time' },
        updatedAt: { type: 'string', format: 'date-time' },
        email: { type: 'string' },
        phone_number: { type: 'string' },
        preferred_username: { type: 'string' },
        isVerified: { type: 'boolean', description: 'Whether its address is verified.' },
      },
      required: [
        'type',
        'loginIdType',
        'loginIdKey',
        'original',
        'normalized',
        'id',
        'createdAt',
        'updatedAt',
        'isVerified',
      ],
      description: 'An address or name that the user signs in with.',
    },
    UserPasswordHash: {
      type: 'object',
      properties: {
        type: { type: 'string', enum: ['bcrypt', 'scrypt', 'argon2', 'pbkdf2'] },
        passwordHash: { type: 'string' },
        setAt: { type: 'string', format: 'date-time' },
        expireAfter: { type: 'string', format: 'date-time' },
      },
      required: ['type', 'passwordHash'],
      description: 'The hash of a password of another system.',
    },
    UserProviderIdentity: {
      type: 'object',
      properties: {
        type: { type: 'string', const: 'oauth' },
        providerType: { type: 'string' },
        providerAlias: { type: 'string' },
        subject: { type: 'string' },
        claims: { type: 'object', additionalProperties: {} },
        profile: {
          description: 'All claims as the provider sent them.',
          type: 'object',
          additionalProperties: {},
        },
        id: { type: 'string' },
        createdAt: { type: 'string', format: 'date-time' },
        updatedAt: { type: 'string', format: 'date-time' },
        email: { type: 'string' },
        phone_number: { type: 'string' },
        preferred_username: { type: 'string' },
        isVerified: { type: 'boolean', description: 'Whether its address is verified.' },
      },
      required: [
        'type',
        'providerType',
        'providerAlias',
        'subject',
        'claims',
        'id',
        'createdAt',
        'updatedAt',
        'isVerified',
      ],
      description: 'An account at an identity provider.',
    },
    UserSession: {
      type: 'object',
      properties: {
        id: { type: 'string' },
        clientId: { type: ['string', 'null'] },
        createdAt: { type: 'string', format: 'date-time' },
        authenticatedAt: { type: 'string', format: 'date-time' },
        lastAccessedAt: { type: 'string', format: 'date-time' },
        lastAccessedIp: { type: ['string', 'null'] },
        lastAccessedUserAgent: { type: ['string', 'null'] },
        expiresAt: { type: 'string', format: 'date-time' },
        amr: { type: 'array', items: { type: 'string' } },
        aal: { type: 'integer' },
        geoLocationCode: { description: 'Where the last address is, as `NO`.', type: 'string' },
      },
      required: [
        'id',
        'clientId',
        'createdAt',
        'authenticatedAt',
        'lastAccessedAt',
        'lastAccessedIp',
        'lastAccessedUserAgent',
        'expiresAt',
        'amr',
        'aal',
      ],
      description: 'A session of a user.',
    },
    UsersFailure: {
      type: 'object',
      properties: {
        reason: { $ref: '#/components/schemas/AuthReason' },
        message: { type: 'string', description: 'For people: may change.' },
        info: { description: 'Details for programs.', $ref: '#/components/schemas/AuthErrorInfo' },
      },
      required: ['reason', 'message'],
      description: 'Why a request was refused.',
    },
    UsersPage: {
      type: 'object',
      properties: {
        items: { type: 'array', items: { $ref: '#/components/schemas/User' } },
        next: { description: 'The `after` of the next page; absent at the end.', type: 'string' },
      },
      required: ['items'],
      description: 'A page of users.',
    },
    ValidationCause: {
      type: 'object',
      properties: {
        location: { type: 'string', description: 'A JSON pointer into the body or input.' },
        kind: { type: 'string', description: 'As `required`, `format` or `minLength`.' },
        details: { type: 'object', additionalProperties: {} },
      },
      required: ['location', 'kind'],
      description: 'What is wrong with a body or an input.',
    },
    VerifyOtpAction: {
      type: 'object',
      properties: {
        type: { type: 'string', enum: ['verify', 'authenticate', 'create_authenticator'] },
        authentication: { $ref: '#/components/schemas/AuthenticationName' },
        data: {
          type: 'object',
          properties: {
            type: { type: 'string', const: 'verify_oob_otp_data' },
            channel: { $ref: '#/components/schemas/Channel' },
            otp_form: { $ref: '#/components/schemas/OtpForm' },
            websocket_url: {
              description: 'For a link: reports that it was approved.',
              type: 'string',
            },
            masked_claim_value: { type: 'string' },
            code_length: { type: 'integer' },
            can_resend_at: {
              type: 'string',
              description: 'When another one can be sent, RFC 3339.',
            },
            can_check: { type: 'boolean', description: 'For a link: whether it was approved.' },
            failed_attempt_rate_limit_exceeded: { type: 'boolean' },
            delivery_status: { type: 'string', enum: ['sending', 'sent', 'failed'] },
          },
          required: [
            'type',
            'channel',
            'otp_form',
            'masked_claim_value',
            'code_length',
            'can_resend_at',
            'can_check',
            'failed_attempt_rate_limit_exceeded',
            'delivery_status',
          ],
        },
      },
      required: ['type', 'data'],
      description: 'Send the code that was received, or wait until the link was opened.',
    },
    VerifyOtpInput: {
      anyOf: [
        {
          type: 'object',
          properties: {
            code: { type: 'string' },
            request_device_token: {
              description: 'Trusts this device. Only where `device_token_enabled`.',
              type: 'boolean',
            },
            bot_protection: {
              description: 'The response of the bot protection, if the option asks for it.',
              type: 'object',
              properties: { type: { type: 'string' }, response: { type: 'string' } },
              required: ['type', 'response'],
            },
          },
          required: ['code'],
        },
        {
          type: 'object',
          properties: {
            check: { type: 'boolean', const: true },
            request_device_token: {
              description: 'Trusts this device. Only where `device_token_enabled`.',
              type: 'boolean',
            },
            bot_protection: {
              description: 'The response of the bot protection, if the option asks for it.',
              type: 'object',
              properties: { type: { type: 'string' }, response: { type: 'string' } },
              required: ['type', 'response'],
            },
          },
          required: ['check'],
        },
        {
          type: 'object',
          properties: { resend: { type: 'boolean', const: true } },
          required: ['resend'],
        },
      ],
      description:
        'For a `VerifyOtpAction`: the code; `check` once the link was approved; `resend` for another one.',
    },
    VerifyRecoveryCodeAction: {
      type: 'object',
      properties: {
        type: { type: 'string', enum: ['verify_account_recovery_code'] },
        data: {
          type: 'object',
          properties: {
            type: { type: 'string', const: 'account_recovery_verify_code_data' },
            masked_display_name: { type: 'string' },
            channel: { $ref: '#/components/schemas/Channel' },
            otp_form: { $ref: '#/components/schemas/OtpForm' },
            code_length: { type: 'integer' },
            can_resend_at: {
              type: 'string',
              description: 'When another one can be sent, RFC 3339.',
            },
            failed_attempt_rate_limit_exceeded: { type: 'boolean' },
          },
          required: [
            'type',
            'masked_display_name',
            'channel',
            'otp_form',
            'code_length',
            'can_resend_at',
            'failed_attempt_rate_limit_exceeded',
          ],
        },
      },
      required: ['type', 'data'],
      description: 'Send the code of the account recovery.',
    },
    VerifyRecoveryCodeInput: {
      anyOf: [
        {
          type: 'object',
          properties: { account_recovery_code: { type: 'string' } },
          required: ['account_recovery_code'],
        },
        {
          type: 'object',
          properties: { resend: { type: 'boolean', const: true } },
          required: ['resend'],
        },
      ],
      description:
        'For a `VerifyRecoveryCodeAction`. The code of a link is taken without a state, too.',
    },
    ViewRecoveryCodeAction: {
      type: 'object',
      properties: {
        type: { type: 'string', enum: ['view_recovery_code'] },
        data: {
          type: 'object',
          properties: {
            type: { type: 'string', const: 'view_recovery_code_data' },
            recovery_codes: { type: 'array', items: { type: 'string' } },
          },
          required: ['type', 'recovery_codes'],
        },
      },
      required: ['type', 'data'],
      description: 'Keep the recovery codes. They are shown once.',
    },
    ViewRecoveryCodeInput: {
      type: 'object',
      properties: { confirm_recovery_code: { type: 'boolean', const: true } },
      required: ['confirm_recovery_code'],
      description: 'For a `ViewRecoveryCodeAction`.',
    },
  },
}
