import { isJsonObject, type Json, type JsonObject } from '../../../storage/storage.ts'
import { textOf } from '../json-object.ts'
import type { OpenIdKind } from '../provider-kind.ts'
import { oidc } from './oidc.ts'

const maxUserLength = 2_000
const names = ['https://appleid.apple.com', 'https://account.apple.com']

/** @see https://developer.apple.com/documentation/signinwithapplerestapi */
export const apple: OpenIdKind = {
  ...oidc,
  scopes: ['name', 'email'],
  prompts: [],
  clientAuthentications: ['client_secret_post', 'client_secret_basic'],
  asksUserInfo: false,
  endpoints: () => ({
    issuer: 'https://appleid.apple.com',
    authorization: 'https://appleid.apple.com/auth/authorize',
    token: 'https://appleid.apple.com/auth/token',
    jwks: 'https://appleid.apple.com/auth/keys',
  }),
  // With any scope it refuses every other mode.
  responseMode: (wanted, scopes) => (scopes.length > 0 ? 'form_post' : wanted),
  issuers: (issuer) => (names.includes(issuer) ? names : [issuer]),
  claims: (said, query) => ({ ...nameIn(query.get('user') ?? ''), ...said }),
}

/**
 * The name that comes beside the code at the first sign-in of a user, and never again. The browser could have forged it, so
 * nothing else in it, such as the email address, is trusted.
 */
function nameIn(text: string): JsonObject {
  const user = text.length <= maxUserLength ? parse(text) : null
  const name = isJsonObject(user) ? user.name : undefined
  if (!isJsonObject(name)) return {}
  const given = textOf(name, 'firstName')
  const family = textOf(name, 'lastName')
  return {
    ...(given === undefined ? {} : { given_name: given }),
    ...(family === undefined ? {} : { family_name: family }),
  }
}

function parse(text: string): Json {
  try {
    return JSON.parse(text)
  } catch {
    // Ignore a malformed name.
    return null
  }
}
