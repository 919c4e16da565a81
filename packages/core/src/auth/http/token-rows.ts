import type { AuthContext } from '../context.ts'
import { requestFacts } from '../flows/request-facts.ts'
import { checkRequestLimit } from '../limits/request-limit.ts'
import { resolveSessionToken } from '../sessions/resolve-session.ts'
import { publishedForMs } from '../signing/key-ring.ts'
import { issueTokens } from '../tokens/issue-tokens.ts'
import { refreshTokens, revokeTokens } from '../tokens/refresh-tokens.ts'
import { getJwks } from '../tokens/rotate-signing-keys.ts'
import { invalidToken, issuerOf, type TokenSet } from '../tokens/token-set.ts'
import { decodeRevokeTokens, decodeTokenRequest } from './decode-body.ts'
import { jsonAnswer } from './error-response.ts'
import { methodRows, postRows } from './method-rows.ts'
import type { FramedRow } from './request-frame.ts'

const tokensPath = '/api/v1/tokens'
const keysPath = '/.well-known/jwks.json'

/** The rows of tokens for programs. Without the section `tokens` of the configuration they answer 404. */
export function tokenRows(auth: AuthContext): readonly FramedRow[] {
  const limited = (context: Parameters<typeof requestFacts>[1]): Promise<void> =>
    checkRequestLimit(auth, requestFacts(auth, context))
  return [
    ...postRows(auth, tokensPath, async (body, context) => {
      issuerOf(auth)
      await limited(context)
      const { refresh_token: refresh, session_token: token = '' } = await decodeTokenRequest(body)
      if (refresh !== undefined) return tokensAnswer(await refreshTokens(auth, refresh, context))
      const session = await resolveSessionToken(auth, token, context)
      if (session === undefined) throw invalidToken()
      return tokensAnswer(await issueTokens(auth, session))
    }),
    ...postRows(auth, `${tokensPath}/revoke`, async (body, context) => {
      issuerOf(auth)
      await limited(context)
      await revokeTokens(auth, (await decodeRevokeTokens(body)).refresh_token)
      return jsonAnswer(200, { result: {} })
    }),
    ...keyRows(auth),
  ]
}

/** A program has no use for the session's members: they are in the access token. */
const tokensAnswer = ({ session: { id }, ...tokens }: TokenSet): ReturnType<typeof jsonAnswer> =>
  jsonAnswer(200, { result: { ...tokens, session_id: id } })

/** The public keys may be read without a session, by pages of all origins. */
const keyRows = (auth: AuthContext): readonly FramedRow[] =>
  methodRows(auth, { method: 'GET', path: keysPath }, async () =>
    jsonAnswer(200, await getJwks(auth), {
      'cache-control': `public, max-age=${publishedForMs / 1_000}`,
      'access-control-allow-origin': '*',
    }),
  )
