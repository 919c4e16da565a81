import {
  anything,
  flag,
  instant,
  listOf,
  mapOf,
  nullable,
  number,
  objectOf,
  oneOf,
  optional,
  type RecordCheck,
  type RecordFields,
  text,
  variantsOf,
} from '../storage/record-check.ts'
import type {
  AnonymousIdentity,
  AuthenticatorRecord,
  CustomAuthenticator,
  CustomIdentity,
  IdentityRecord,
  LoginIdIdentity,
  OAuthIdentity,
  OobOtpAuthenticator,
  PasskeyAuthenticator,
  PasswordAuthenticator,
  PasswordHistoryRecord,
  RecoveryCodeRecord,
  SessionRecord,
  TotpAuthenticator,
  UserRecord,
  VerifiedClaimRecord,
} from './accounts/records.ts'
import type { CodeRecord, LinkRecord, SentCode } from './kinds/oob-otp/otp-code.ts'
import type { LockoutRecord } from './limits/lockout.ts'

const claimName = oneOf(['email', 'phone_number', 'preferred_username'])
const channel = oneOf(['email', 'sms', 'whatsapp'])

/** Checks a stored user. An instant in another form would let a disabled user in. */
export const userCheck: RecordCheck = objectOf<UserRecord>({
  created_at: instant,
  updated_at: instant,
  last_login_at: nullable(instant),
  is_disabled: flag,
  disable_reason: nullable(text),
  delete_at: nullable(instant),
  delete_by: nullable(oneOf(['admin', 'user'])),
  is_anonymized: flag,
  anonymize_at: nullable(instant),
  account_valid_from: nullable(instant),
  account_valid_until: nullable(instant),
  mfa_grace_end: nullable(instant),
  opt_out_passkey: flag,
  standard_attributes: mapOf(anything),
  custom_attributes: mapOf(anything),
})

type OfAnyIdentity =
  | 'type'
  | 'user_id'
  | 'created_at'
  | 'updated_at'
  | 'email'
  | 'phone_number'
  | 'preferred_username'
  | 'unique_key'

const ofAnyIdentity: RecordFields<Pick<IdentityRecord, OfAnyIdentity>> = {
  type: text,
  user_id: text,
  created_at: instant,
  updated_at: optional(instant),
  email: optional(text),
  phone_number: optional(text),
  preferred_username: optional(text),
  unique_key: text,
}

/** Checks a stored identity. */
export const identityCheck: RecordCheck = variantsOf<IdentityRecord['type']>({
  login_id: objectOf<LoginIdIdentity>({
    ...ofAnyIdentity,
    login_id_type: oneOf(['email', 'phone', 'username']),
    login_id_key: text,
    original: text,
    normalized: text,
    is_unproven: optional(flag),
  }),
  oauth: objectOf<OAuthIdentity>({
    ...ofAnyIdentity,
    provider_type: text,
    provider_alias: text,
    subject: text,
    claims: mapOf(anything),
    profile: optional(mapOf(anything)),
  }),
  anonymous: objectOf<AnonymousIdentity>(ofAnyIdentity),
  custom: objectOf<CustomIdentity>({ ...ofAnyIdentity, identification: text, data: anything }),
})

/** Checks a stored identity key. */
export const identityKeyCheck: RecordCheck = objectOf<{
  readonly user_id: string
  readonly identity_id: string
}>({ user_id: text, identity_id: text })

type OfAnyAuthenticator = 'type' | 'user_id' | 'kind' | 'created_at' | 'updated_at'

const ofAnyAuthenticator: RecordFields<Pick<AuthenticatorRecord, OfAnyAuthenticator>> = {
  type: text,
  user_id: text,
  kind: oneOf(['primary', 'secondary']),
  created_at: instant,
  updated_at: instant,
}

const oobOtp = objectOf<OobOtpAuthenticator>({ ...ofAnyAuthenticator, target: text })

/** Checks a stored authenticator. */
export const authenticatorCheck: RecordCheck = variantsOf<AuthenticatorRecord['type']>({
  password: objectOf<PasswordAuthenticator>({
    ...ofAnyAuthenticator,
    hash: text,
    expire_after: nullable(instant),
  }),
  oob_otp_email: oobOtp,
  oob_otp_sms: oobOtp,
  totp: objectOf<TotpAuthenticator>({
    ...ofAnyAuthenticator,
    sealed_secret: text,
    display_name: text,
    last_step: nullable(number),
  }),
  passkey: objectOf<PasskeyAuthenticator>({
    ...ofAnyAuthenticator,
    display_name: text,
    credential_id: text,
    public_key: text,
    sign_count: number,
    transports: listOf(text),
    aaguid: text,
    is_backed_up: flag,
  }),
  custom: objectOf<CustomAuthenticator>({
    ...ofAnyAuthenticator,
    authentication: text,
    data: anything,
  }),
})

/** Checks a stored verified claim. */
export const verifiedClaimCheck: RecordCheck = objectOf<VerifiedClaimRecord>({
  user_id: text,
  name: claimName,
  value: text,
  channel: nullable(channel),
  created_at: instant,
})

/** Checks a stored recovery code. */
export const recoveryCodeCheck: RecordCheck = objectOf<RecoveryCodeRecord>({
  user_id: text,
  created_at: instant,
  consumed_at: nullable(instant),
  reserved_by: nullable(text),
  reserved_until: nullable(instant),
})

/** Checks a stored earlier password. */
export const passwordHistoryCheck: RecordCheck = objectOf<PasswordHistoryRecord>({
  user_id: text,
  hash: text,
  created_at: instant,
})

/** Checks a stored session. */
export const sessionCheck: RecordCheck = objectOf<SessionRecord>({
  user_id: text,
  client_id: nullable(text),
  token_hash: text,
  created_at: instant,
  authenticated_at: instant,
  last_accessed_at: instant,
  last_accessed_ip: nullable(text),
  last_accessed_user_agent: nullable(text),
  amr: listOf(text),
  amr_at: optional(mapOf(instant)),
  user_verified: optional(flag),
  factors: optional(mapOf(instant)),
  own: optional(listOf(text)),
})

/** Checks the stored failed attempts of a user. */
export const lockoutCheck: RecordCheck = objectOf<LockoutRecord>({
  total: number,
  attempts: mapOf(number),
  locked_until: mapOf(number),
})

const sentCode: RecordFields<SentCode> = {
  code_id: text,
  code_mac: text,
  form: oneOf(['code', 'link']),
  channel,
  failures: number,
  failures_elsewhere: optional(number),
  state: oneOf(['out', 'approved', 'used', 'revoked']),
  is_replaced: optional(flag),
  websocket_channels: listOf(text),
  delivery: oneOf(['sending', 'sent', 'failed']),
  flow_id: optional(text),
  account_id: optional(nullable(text)),
  expires_at: optional(instant),
}

/** Checks the stored codes of an address or a flow. */
export const codeCheck: RecordCheck = objectOf<CodeRecord>({
  ...sentCode,
  earlier: optional(listOf(objectOf<SentCode>(sentCode))),
})

/** Checks a stored link. */
export const linkCheck: RecordCheck = objectOf<LinkRecord>({
  purpose: text,
  channel,
  code_key: text,
  code_id: text,
  sealed_target: text,
  user_id: nullable(text),
  flow_name: text,
  client_id: nullable(text),
  sealed_request: optional(text),
})
