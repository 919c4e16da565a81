import {
  anyText,
  byType,
  type Decode,
  decodeInput,
  type Fields,
  filledText,
  flag,
  json,
  listOf,
  objectOf,
  oneOf,
  optional,
  rawText,
  wholeFrom,
} from '../../input/decode.ts'
import type { Json } from '../../storage/storage.ts'
import type { Identified } from '../accounts/account.ts'
import type { AuthenticatorRecord } from '../accounts/authenticator-record.ts'
import type { AuthContext } from '../context.ts'
import { validationFailed } from '../errors.ts'
import { establishFacts } from '../flows/finish/establish-facts.ts'
import { passkeyId } from '../kinds/passkey/passkey.ts'
import { totpSeal } from '../kinds/totp/totp-answers.ts'
import { readLoginId } from '../login-ids/login-id.ts'
import { decodeBase32 } from '../secrets/base32.ts'
import type { StoredPasskey } from '../webauthn/passkeys.ts'
import { checkOther, hashChecked } from './hash-checked.ts'

type Kind = AuthenticatorRecord['kind']

/** An authenticator that the host adds to a user. */
export type NewAuthenticator =
  | { readonly type: 'password'; readonly kind: Kind; readonly password: string }
  /** `secret`: in Base32. */
  | { readonly type: 'totp'; readonly secret: string; readonly display_name?: string }
  /** A code to an address that the host knows to be the user's. */
  | {
      readonly type: 'oob_otp_email' | 'oob_otp_sms'
      readonly kind: Kind
      readonly target: string
    }
  | { readonly type: 'passkey'; readonly passkey: StoredPasskey; readonly display_name?: string }
  /** An authenticator of a kind that was passed to `createAuth()`. */
  | {
      readonly type: 'custom'
      readonly kind: Kind
      readonly authentication: string
      readonly data: Json
    }

type OfType<T extends NewAuthenticator['type']> = Extract<NewAuthenticator, { readonly type: T }>

const kind = oneOf<Kind>(['primary', 'secondary'])

const oobOtp = objectOf<OfType<'oob_otp_email' | 'oob_otp_sms'>>({
  type: oneOf(['oob_otp_email', 'oob_otp_sms']),
  kind,
  target: rawText,
})

const passkeyFields: Fields<StoredPasskey> = {
  credential_id: filledText,
  public_key: filledText,
  sign_count: wholeFrom(0),
  transports: listOf(anyText),
  aaguid: anyText,
  is_backed_up: flag,
}

/** Decodes a passkey that a user has made elsewhere. */
export const passkeyInput: Decode<StoredPasskey & { readonly display_name?: string }> = objectOf<
  StoredPasskey & { readonly display_name?: string }
>({ ...passkeyFields, display_name: optional(anyText) })

const decoders: { readonly [T in NewAuthenticator['type']]: Decode<NewAuthenticator> } = {
  password: objectOf<OfType<'password'>>({ type: oneOf(['password']), kind, password: rawText }),
  totp: objectOf<OfType<'totp'>>({
    type: oneOf(['totp']),
    secret: rawText,
    display_name: optional(anyText),
  }),
  oob_otp_email: oobOtp,
  oob_otp_sms: oobOtp,
  passkey: objectOf<OfType<'passkey'>>({
    type: oneOf(['passkey']),
    passkey: objectOf<StoredPasskey>(passkeyFields),
    display_name: optional(anyText),
  }),
  custom: objectOf<OfType<'custom'>>({
    type: oneOf(['custom']),
    kind,
    authentication: anyText,
    data: json,
  }),
}

const newAuthenticator: Decode<NewAuthenticator> = byType(decoders)

/**
 * Adds an authenticator to a user. Returns its id. Users with a second factor also need recovery codes: `addRecoveryCodes()`.
 *
 * @throws {GatehouseError} `InvalidInput`; `UserNotFound`; `ValidationFailed`; `PasswordPolicyViolated`; `InvariantViolated`
 * (`DuplicatedAuthenticator`) for a second password of a kind, the same address or TOTP secret again, or a passkey that a user already has.
 */
export async function addAuthenticator(
  auth: AuthContext,
  user: string,
  authenticator: NewAuthenticator,
): Promise<string> {
  const userId = decodeInput('user', rawText, user)
  const given = decodeInput('authenticator', newAuthenticator, authenticator)
  const now = auth.clock.now()
  const record = await readAuthenticator(auth, given, {
    id: auth.ids.random(),
    user_id: userId,
    created_at: now,
    updated_at: now,
  })
  await establishFacts(auth, userId, async (account) => {
    if (given.type === 'password') {
      await checkOther(auth, given.password, { account, kind: given.kind })
    }
    return [{ kind: 'authenticator_created', authenticator: record }]
  })
  return record.id
}

type About = Pick<Identified<AuthenticatorRecord>, 'id' | 'user_id' | 'created_at' | 'updated_at'>

async function readAuthenticator(
  auth: AuthContext,
  given: NewAuthenticator,
  about: About,
): Promise<Identified<AuthenticatorRecord>> {
  const at = new Date(about.created_at).toISOString()
  switch (given.type) {
    case 'password': {
      const hash = await hashChecked(auth, given.password)
      return { ...about, type: 'password', kind: given.kind, hash, expire_after: null }
    }
    case 'totp':
      return {
        ...about,
        type: 'totp',
        kind: 'secondary',
        sealed_secret: sealedSecret(auth, given.secret),
        display_name: given.display_name ?? `TOTP @ ${at}`,
        last_step: null,
      }
    case 'passkey': {
      const { passkey, display_name = `Passkey @ ${at}` } = given
      const id = passkeyId(passkey.credential_id)
      return { ...about, ...passkey, id, type: 'passkey', kind: 'primary', display_name }
    }
    case 'custom':
      return customAuthenticator(auth, given, about)
    default: {
      const { type, kind } = given
      return { ...about, type, kind, target: readTarget(auth, type, given.target) }
    }
  }
}

/** Seals a TOTP secret in Base32. `location` is where it stands, for errors. @throws {GatehouseError} `ValidationFailed` */
export function sealedSecret(
  { secrets }: AuthContext,
  secret: string,
  location = '/secret',
): string {
  const bytes = decodeBase32(secret)
  if (bytes !== undefined && bytes.length > 0) return secrets.seal(secret, totpSeal)
  const details = { format: 'base32' }
  throw validationFailed([{ location, kind: 'format', details }])
}

/** The normalized address that codes go to. `location` is where it stands, for errors. @throws {GatehouseError} `ValidationFailed` */
export function readTarget(
  { config, loginIdRules }: AuthContext,
  type: 'oob_otp_email' | 'oob_otp_sms',
  target: string,
  location = '/target',
): string {
  const sort = type === 'oob_otp_email' ? 'email' : 'phone'
  const read = readLoginId(sort, target, loginIdRules(config.current), 'look-up')
  if ('loginId' in read) return read.loginId.normalized
  throw validationFailed([{ location, ...read.problem }], 'invalid target')
}

function customAuthenticator(
  { kinds }: AuthContext,
  { kind, authentication, data }: Extract<NewAuthenticator, { readonly type: 'custom' }>,
  about: About,
): Identified<AuthenticatorRecord> {
  if (kinds.authenticators.has(authentication)) {
    return { ...about, type: 'custom', kind, authentication, data }
  }
  const causes = [{ location: '/authentication', kind: 'enum' }]
  throw validationFailed(causes, 'unknown authentication')
}
