import * as z from 'zod/mini'
import { type ApiSchema, described, namedObject, text } from '../../http/api/schema.ts'

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
