import type { AuthRun } from './context.ts'
import { hookAnswers } from './events/hook-answers.ts'
import { type Answer, type Answers, type AnyAnswers, type Ask, askAny } from './flow/asking.ts'
import { flowAnswers } from './flow/flow-answers.ts'
import type { BaseQuestions } from './flow/questions.ts'
import { idTokenAnswers } from './kinds/id-token/id-token-answers.ts'
import type { IdTokenQuestions } from './kinds/id-token/id-token-questions.ts'
import { ldapAnswers } from './kinds/ldap/ldap-answers.ts'
import type { LdapQuestions } from './kinds/ldap/ldap-questions.ts'
import { externalJwtAnswers } from './kinds/login-id/external-jwt-answers.ts'
import type { ExternalJwtQuestions } from './kinds/login-id/external-jwt-questions.ts'
import { oauthAnswers } from './kinds/oauth/oauth-answers.ts'
import type { OAuthQuestions } from './kinds/oauth/oauth-questions.ts'
import { otpAnswers } from './kinds/oob-otp/otp-answers.ts'
import type { OtpQuestions } from './kinds/oob-otp/otp-questions.ts'
import { passkeyAnswers } from './kinds/passkey/passkey-answers.ts'
import type { PasskeyQuestions } from './kinds/passkey/passkey-questions.ts'
import { passwordAnswers } from './kinds/password/password-answers.ts'
import type { PasswordQuestions } from './kinds/password/password-questions.ts'
import { recoveryCodeAnswers } from './kinds/recovery-code/recovery-code-answers.ts'
import type { RecoveryCodeQuestions } from './kinds/recovery-code/recovery-code-questions.ts'
import { totpAnswers } from './kinds/totp/totp-answers.ts'
import type { TotpQuestions } from './kinds/totp/totp-questions.ts'
import { botProtectionAnswers } from './limits/bot-protection-answers.ts'
import { limitAnswers } from './limits/limit-answers.ts'
import type { LimitQuestions } from './limits/limit-questions.ts'
import { sessionAnswers } from './sessions/session-answers.ts'
import { deviceAnswers } from './steps/device-answers.ts'
import type { DeviceQuestions } from './steps/device-questions.ts'

/** All questions of the rules of flows, by name, with the types of question and answer. */
export interface FlowQuestions
  extends BaseQuestions,
    DeviceQuestions,
    ExternalJwtQuestions,
    IdTokenQuestions,
    LdapQuestions,
    LimitQuestions,
    OAuthQuestions,
    OtpQuestions,
    PasskeyQuestions,
    PasswordQuestions,
    RecoveryCodeQuestions,
    TotpQuestions {}

/**
 * What answers each question. Rules know a question only by its name: this list leads from `ask('verify_password', …)` to the
 * function that does the work.
 */
const answeredBy: {
  readonly [Name in keyof FlowQuestions]: (run: AuthRun) => Answers<Pick<FlowQuestions, Name>>
} = {
  account: flowAnswers,
  identity: flowAnswers,
  claim: flowAnswers,
  random: flowAnswers,
  uuid: flowAnswers,
  stand_in_id: flowAnswers,
  port: flowAnswers,
  session: sessionAnswers,
  other_sessions: sessionAnswers,
  hook: hookAnswers,
  event: hookAnswers,
  spend: limitAnswers,
  refund: limitAnswers,
  check_lockout: limitAnswers,
  count_failure: limitAnswers,
  verify_bot_protection: botProtectionAnswers,
  device_token: deviceAnswers,
  hash_password: passwordAnswers,
  verify_password: passwordAnswers,
  password_strength: passwordAnswers,
  password_leaked: passwordAnswers,
  password_history: passwordAnswers,
  check_cooldown: otpAnswers,
  otp_status: otpAnswers,
  verify_otp: otpAnswers,
  first_try: otpAnswers,
  check_link: otpAnswers,
  verify_totp: totpAnswers,
  new_totp_secret: totpAnswers,
  open_totp_secret: totpAnswers,
  reserve_recovery_code: recoveryCodeAnswers,
  hash_recovery_codes: recoveryCodeAnswers,
  passkey_creation_options: passkeyAnswers,
  passkey_request_options: passkeyAnswers,
  verify_passkey_creation: passkeyAnswers,
  verify_passkey: passkeyAnswers,
  oauth_status: oauthAnswers,
  oauth_authorization_url: oauthAnswers,
  oauth_redeem: oauthAnswers,
  id_token_user: idTokenAnswers,
  external_jwt: externalJwtAnswers,
  ldap_entry: ldapAnswers,
}

const factories: ReadonlyMap<string, (run: AuthRun) => AnyAnswers> = new Map(
  Object.entries(answeredBy),
)

/** The answers to the questions of one request's rules, by name. Those of a file are made at its first question. */
export function answersFor(run: AuthRun): (name: string) => Answer | undefined {
  const made = new Map<unknown, AnyAnswers>()
  return (name) => {
    const make = factories.get(name)
    if (make === undefined) return undefined
    const answers = made.get(make) ?? make(run)
    made.set(make, answers)
    return answers[name]
  }
}

/** Asks one question. */
export const ask: Ask<FlowQuestions> = askAny
