import type { Json } from '../../storage/storage.ts'
import type { AuthContext } from '../context.ts'
import type { RequestContext } from '../flows/flow-result.ts'
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
import { readJson } from './read-json-body.ts'
import { requestContext } from './request-context.ts'
import type { FramedAnswer, FramedRow } from './request-frame.ts'

type TokenOperation = 'requestTokens' | 'revokeTokens' | 'getJwks'

/** Tokens for programs. Without the section `tokens` of the configuration the answer is 404. */
export function tokenEndpoints(
  auth: AuthContext,
): Readonly<Record<TokenOperation, FramedRow['answer']>> {
  return {
    requestTokens: takingTokens(auth, async (body, context) => {
      const { refresh_token: refresh, session_token: token = '' } = await decodeTokenRequest(body)
      if (refresh !== undefined) return tokensAnswer(await refreshTokens(auth, refresh, context))
      const session = await resolveSessionToken(auth, token, context)
      if (session === undefined) throw invalidToken()
      return tokensAnswer(await issueTokens(auth, session))
    }),
    revokeTokens: takingTokens(auth, async (body) => {
      await revokeTokens(auth, (await decodeRevokeTokens(body)).refresh_token)
      return jsonAnswer(200, { result: {} })
    }),
    // The public keys may be read without a session, by pages of all origins.
    getJwks: async () =>
      jsonAnswer(200, await getJwks(auth), {
        'cache-control': `public, max-age=${publishedForMs / 1_000}`,
        'access-control-allow-origin': '*',
      }),
  }
}

/** Answers a request with tokens in JSON, as far as there are tokens, and within the limit of the client's address. */
const takingTokens =
  (
    auth: AuthContext,
    operation: (body: Json, context: RequestContext) => Promise<FramedAnswer>,
  ): FramedRow['answer'] =>
  async ({ request, info }) => {
    issuerOf(auth)
    const context = requestContext(request, info)
    await checkRequestLimit(auth, requestFacts(auth, context))
    return operation(await readJson(auth, request), context)
  }

/** A program has no use for the session's members: they are in the access token. */
const tokensAnswer = ({ session: { id }, ...tokens }: TokenSet): ReturnType<typeof jsonAnswer> =>
  jsonAnswer(200, { result: { ...tokens, session_id: id } })
