import { authCollections } from '@gatehouse/core/auth'
import { createManualClock } from '@gatehouse/core/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { authVectorFiles, readAuthVectors } from './auth-vector.ts'
import { runAuthVector } from './auth-vector-runner.ts'
import { type SwitchingServer, startServer } from './servers.ts'
import { casesOn, forEachServedStore, type Store } from './stores.ts'

const start = Date.parse('2026-03-04T10:00:00Z')

const vectors = authVectorFiles.flatMap((file) =>
  readAuthVectors(file).map((vector) => [file, vector.name, vector] as const),
)

/** Runs vectors through an adapter, each on an empty storage. */
function describeVectors(adapter: string, store: Store): void {
  describe(`authentication flows through ${adapter} on ${store.name}`, () => {
    let server: SwitchingServer
    beforeAll(async () => {
      server = await startServer(adapter, { sockets: true })
    })
    afterAll(() => server.close())

    it.each(casesOn(adapter, store, vectors))('%s: %s', async (_file, _name, vector) => {
      const clock = createManualClock(start)
      const storage = await store.openEmpty(clock)
      try {
        await runAuthVector(vector, { server, storage, clock })
      } finally {
        await storage.close()
      }
    })
  })
}

/** The error reasons of the service. */
const reasons = [
  'AccountLockout',
  'ApiKeyLimitReached',
  'ApiKeyNotFound',
  'ApiKeysDisabled',
  'AppNotFound',
  'AuthenticationFlowDifferentUserID',
  'AuthenticationFlowFlowNotFound',
  'AuthenticationFlowInvalidTargetStep',
  'AuthenticationFlowNoPublicSignup',
  'AuthenticationFlowNoUserID',
  'AuthenticationFlowNotAllowed',
  'AuthenticationFlowNotFound',
  'AuthenticationFlowStepNotFound',
  'BadRequest',
  'BotProtectionVerificationFailed',
  'BotProtectionVerificationServiceUnavailable',
  'ChangePasswordFailed',
  'DisabledUser',
  'ExternalJWTInvalidClaim',
  'ExternalJWTInvalidJWT',
  'ForgotPasswordFailed',
  'HTTPSRequired',
  'HookDeliveryTimeout',
  'HookDeliveryUnknownFailure',
  'HookDisallowed',
  'HookInvalidResponse',
  'Impersonated',
  'ImpersonationForbidden',
  'Invalid',
  'InvalidCredentials',
  'InvalidOTPCode',
  'InvalidVerificationCode',
  'InvariantViolated',
  'InvitationExists',
  'InvitationNotFound',
  'JSONTooLarge',
  'LDAPError',
  'MethodNotAllowed',
  'OAuthError',
  'OAuthProtocolError',
  'OAuthProviderMissingCredentials',
  'OAuthProviderNotFound',
  'OTPDeliveryUnexpectedError',
  'PasswordPolicyViolated',
  'PasswordResetFailed',
  'RateLimited',
  'ReauthenticationRequired',
  'SMSNotSupported',
  'ScheduledDeletionByAdmin',
  'SelectAccountSessionChanged',
  'TooManyRequest',
  'UnexpectedError',
  'UserNotFound',
  'UserOutsideValidPeriod',
  'ValidationFailed',
  'WebAuthnSessionNotFound',
]

const vectorText = JSON.stringify(vectors.map(([, , vector]) => vector))

it.each(reasons)('a vector is refused with %s', (reason) => {
  expect(vectorText).toContain(`"reason":"${reason}"`)
})

forEachServedStore(authCollections, describeVectors)
