import { type Decode, exactly } from '../../input/decode.ts'
import { canBeId } from '../../storage/storage-input.ts'
import { scopesOf } from '../access-tokens/access-token.ts'
import { type AdmitTokenOptions, admitTokenFields } from '../access-tokens/admit-token.ts'
import { invalidAccessToken } from '../access-tokens/token-errors.ts'
import { verifierPort } from '../access-tokens/token-input.ts'
import type { TokenRequest } from '../access-tokens/token-request.ts'
import type { TokenVerifier } from '../access-tokens/token-verifier.ts'
import { statusProblem } from '../accounts/account-status.ts'
import { userCollection } from '../accounts/user-record.ts'
import type { AuthContext } from '../context.ts'
import {
  type AccessTokenSession,
  accessTokenSession,
} from '../flow/session/access-token-session.ts'

/** Who verifies access tokens, and what they must be good for. */
export interface AccessTokenOptions extends AdmitTokenOptions {
  readonly verifier: TokenVerifier
}

/** Decodes {@link AccessTokenOptions}. */
export const accessTokenOptions: Decode<AccessTokenOptions> = exactly<AccessTokenOptions>({
  verifier: verifierPort,
  ...admitTokenFields,
})

/**
 * The sender of a request with an access token.
 *
 * @throws {GatehouseError} as `verifyToken` does; `InvalidToken` also if its user is gone or may not sign in.
 */
export async function resolveAccessToken(
  { storage, clock }: AuthContext,
  request: TokenRequest,
  { verifier, resourceMetadata: _named, ...check }: AccessTokenOptions,
): Promise<AccessTokenSession> {
  const claims = await verifier.verifyToken({ ...check, request })
  const session = accessTokenSession(claims, scopesOf(claims))
  const { user_id: userId } = session
  if (userId === null) return session
  const user = canBeId(userId) ? await userCollection.get(storage, userId) : undefined
  if (user === undefined || statusProblem(user.value, clock.now()) !== undefined) {
    throw invalidAccessToken('is of a user who may not sign in')
  }
  return session
}
