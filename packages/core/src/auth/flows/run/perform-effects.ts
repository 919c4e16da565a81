import { sha256Hex } from '../../../crypto/crypto.ts'
import { retryOnConflict } from '../../../storage/storage.ts'
import { deviceTokenCollection } from '../../accounts/device-token-record.ts'
import { userCollection } from '../../accounts/user-record.ts'
import type { AuthRun } from '../../context.ts'
import { userNotFound } from '../../errors.ts'
import type { Effect, Fact } from '../../flow/state.ts'
import { createDeviceToken } from '../../secrets/tokens.ts'
import {
  clearDeviceTokenCookie,
  deviceTokenCookie,
  type SetCookie,
} from '../../sessions/cookies.ts'
import { sendOtp } from './send-otp.ts'

/**
 * Performs the effects of an accepted input. `facts`: those of the flow after it.
 *
 * @throws {GatehouseError} `RateLimited`; `OTPDeliveryUnexpectedError`, `SMSNotSupported`. The input is refused then.
 */
export async function performEffects(
  run: AuthRun,
  effects: readonly Effect[],
  facts: readonly Fact[],
): Promise<{ readonly cookies: readonly SetCookie[] }> {
  const cookies: SetCookie[] = []
  for (const effect of effects) {
    if (effect.kind === 'send_otp') await sendOtp(run, effect.otp)
    else if (effect.kind === 'create_device_token')
      cookies.push(await trustDevice(run, effect.user_id, facts))
    else cookies.push(clearDeviceTokenCookie(run.auth.config.current))
  }
  return { cookies }
}

async function trustDevice(
  run: AuthRun,
  userId: string,
  facts: readonly Fact[],
): Promise<SetCookie> {
  const { auth, request, now } = run
  const config = auth.config.current
  const days = config.authentication.device_token.expire_in_days
  const token = createDeviceToken(auth.random)
  const expiresAt = now + days * 86_400_000
  const factor = facts.findLast(({ kind }) => kind === 'authentication_used')
  const authenticator_id = factor?.kind === 'authentication_used' ? factor.authenticator_id : null
  const record = { user_id: userId, created_at: now, authenticator_id }
  const write = deviceTokenCollection.write(sha256Hex(token), record, { expiresAt, if: 'absent' })
  await retryOnConflict(async () => {
    const user = await userCollection.get(auth.storage, userId)
    if (user === undefined || user.value.is_anonymized) throw userNotFound({})
    // Writes the user, so that a concurrent deletion notices the new token.
    const noted = userCollection.write(userId, user.value, { if: user.version })
    await auth.storage.commit([write, noted])
  })
  return deviceTokenCookie(config, [token, ...(await othersOf(run, request.device_tokens, userId))])
}

/** The tokens of other users of the same browser, which stay in its cookie. */
async function othersOf(
  { auth }: AuthRun,
  tokens: readonly string[],
  userId: string,
): Promise<readonly string[]> {
  const records = await Promise.all(
    tokens.map((token) => deviceTokenCollection.get(auth.storage, sha256Hex(token))),
  )
  return tokens.filter((_, index) => {
    const record = records[index]
    return record !== undefined && record.value.user_id !== userId
  })
}
