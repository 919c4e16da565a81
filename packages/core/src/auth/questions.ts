import { type Ask, askAny } from './flow/asking.ts'
import type { BaseQuestions } from './flow/questions.ts'
import type { IdTokenQuestions } from './kinds/id-token/id-token-questions.ts'
import type { LdapQuestions } from './kinds/ldap/ldap-questions.ts'
import type { ExternalJwtQuestions } from './kinds/login-id/external-jwt-questions.ts'
import type { OAuthQuestions } from './kinds/oauth/oauth-questions.ts'
import type { OtpQuestions } from './kinds/oob-otp/otp-questions.ts'
import type { PasskeyQuestions } from './kinds/passkey/passkey-questions.ts'
import type { PasswordQuestions } from './kinds/password/password-questions.ts'
import type { RecoveryCodeQuestions } from './kinds/recovery-code/recovery-code-questions.ts'
import type { TotpQuestions } from './kinds/totp/totp-questions.ts'
import type { LimitQuestions } from './limits/limit-questions.ts'
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

/** Asks one question. */
export const ask: Ask<FlowQuestions> = askAny
