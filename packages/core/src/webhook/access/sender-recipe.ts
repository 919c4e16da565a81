import type { BodyFormat, DeliveryMethod, TokenPlace, Webhook } from '../webhook.ts'
import { signatureHeaders } from './signature-offer.ts'

/** What to enter at the sender of a webhook. It has no secret. */
export interface SenderRecipe {
  /** Below where the service is served. */
  readonly path: string
  readonly methods: readonly DeliveryMethod[]
  /** Types of bodies. */
  readonly content_types: readonly string[]
  /** Where the token may be besides `Authorization: Bearer`; `null` if no token starts a run. */
  readonly token: { readonly in: 'bearer' | TokenPlace['kind']; readonly name?: string } | null
  /** How bodies are signed; `null` if they need not be. */
  readonly signature: { readonly algorithm: string; readonly headers: readonly string[] } | null
}

const contentTypes: Readonly<Record<BodyFormat, string>> = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  text: 'text/plain',
  multipart: 'multipart/form-data',
  xml: 'application/xml',
  any: '*/*',
}

/** The recipe for a webhook. */
export function senderRecipe(webhook: Webhook): SenderRecipe {
  const { id, path, methods, accept, auth, token_in, signature } = webhook
  const takesToken = auth === 'token' || auth === 'both' || auth === 'either'
  return {
    path: path ?? `/webhook/${id.split('/').map(encodeURIComponent).join('/')}`,
    methods,
    content_types: accept.map((format) => contentTypes[format]),
    token: takesToken ? tokenPlace(token_in) : null,
    signature:
      signature === undefined || auth === 'token' || auth === 'none'
        ? null
        : {
            algorithm: signature.formats[0]?.algorithm ?? 'token',
            headers: signatureHeaders(signature),
          },
  }
}

function tokenPlace(place: TokenPlace | undefined): NonNullable<SenderRecipe['token']> {
  if (place === undefined) return { in: 'bearer' }
  return 'name' in place ? { in: place.kind, name: place.name } : { in: place.kind }
}
