import * as z from 'zod/mini'
import {
  type ApiSchema,
  described,
  instant,
  namedObject,
  text,
  withOneOf,
} from '../../http/api/schema.ts'
import { camelShape } from './camel-case.ts'

export const tokenSet: ApiSchema = namedObject('TokenSet', 'Tokens of a session.', {
  access_token: described(text, 'A JWT as in RFC 9068, signed with ES256.'),
  token_type: z.literal('Bearer'),
  expires_in: described(z.int(), 'In seconds.'),
  refresh_token: described(text, 'For the next tokens. It can be used once.'),
  refresh_token_expires_in: described(z.int(), 'In seconds, unless the session ends before.'),
  session_id: text,
})

export const jwks: ApiSchema = namedObject('JwkSet', 'Public keys.', {
  keys: z.array(
    namedObject('PublicKey', 'A public key as in RFC 7517.', {
      kty: z.literal('EC'),
      crv: z.literal('P-256'),
      use: z.literal('sig'),
      alg: z.literal('ES256'),
      kid: text,
      x: text,
      y: text,
    }),
  ),
})

const apiKeyMembers = {
  id: described(text, 'The part of the key after `gatehouse_`.'),
  user_id: z.nullable(text),
  service: z.nullable(text),
  name: text,
  scopes: z.array(text),
  created_at: instant,
  expires_at: described(z.nullable(instant), '`null`: never.'),
  last_used_at: described(z.nullable(instant), 'To the minute.'),
  last_used_ip: z.nullable(text),
}

const apiKey = namedObject('ApiKey', 'An API key, without its secret.', apiKeyMembers)

export const ownApiKeys: ApiSchema = namedObject(
  'OwnApiKeys',
  'The API keys of the user, newest first, and what new ones may be.',
  {
    items: z.array(apiKey),
    scopes: described(z.array(text), 'Which a new key may have; empty if people make none.'),
    max_lifetime_days: described(z.nullable(z.int()), '`null`: a key may last for ever.'),
  },
)

export const createdApiKey: ApiSchema = namedObject('CreatedApiKey', 'A new API key.', {
  key: described(text, 'The key itself. It cannot be read again.'),
  api_key: apiKey,
})

const listedApiKey = namedObject(
  'ListedApiKey',
  'An API key as operators see it.',
  camelShape(apiKeyMembers),
)

export const listedApiKeys: ApiSchema = namedObject(
  'ListedApiKeys',
  'The API keys of a user or a service, newest first, or those of all services by name; and what new ones may be.',
  {
    items: z.array(listedApiKey),
    scopes: described(z.array(text), 'Which a new key may have.'),
    maxLifetimeDays: described(z.nullable(z.int()), '`null`: a key may last for ever.'),
    next: described(z.optional(text), 'The `after` of the next page of keys of services.'),
  },
)

export const newApiKey: ApiSchema = withOneOf(
  namedObject('NewOwnedApiKey', 'An API key to create, of a user or of a service.', {
    userId: z.optional(text),
    service: described(z.optional(text), 'The name of the service, in place of a user.'),
    name: described(text, 'For people, to find the key again.'),
    scopes: z.array(text),
    expiresAt: described(z.optional(z.nullable(instant)), 'Default: never, if that is allowed.'),
  }),
  'userId',
  'service',
)

export const createdOwnedApiKey: ApiSchema = namedObject(
  'CreatedOwnedApiKey',
  'A new API key of a user or a service.',
  { key: described(text, 'The key itself. It cannot be read again.'), apiKey: listedApiKey },
)
