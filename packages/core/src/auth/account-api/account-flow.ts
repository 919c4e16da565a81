import { isAnonymous } from '../accounts/anonymous.ts'
import type { Account, Identified, IdentityRecord, LoginIdIdentity } from '../accounts/records.ts'
import type { LoadedAuthConfig } from '../config/config.ts'
import type { Authentication, Identification, Step } from '../config/flow-definition.ts'
import {
  authenticatorTaken,
  changePasswordFailed,
  identityNotFound,
  invariantViolated,
  modifyDisabled,
  noAuthenticator,
} from '../errors.ts'
import { isVerified } from '../flow/account.ts'
import type { AccountPath, AccountRules } from '../flow/account-path.ts'
import { secondFactors } from '../flow/hooks/demanded-steps.ts'
import type { FlowKinds } from '../flow/kinds.ts'
import { provableClaim } from '../kinds/oob-otp/verify.ts'
import { createPasskeyPath } from '../kinds/passkey/account-passkeys.ts'
import { passwordOf } from '../kinds/password/authenticator.ts'
import {
  createRecoveryCodesPath,
  firstRecoveryCodes,
} from '../kinds/recovery-code/account-recovery-codes.ts'
import { hasFactor } from '../linking/linked-account.ts'
import type { AccountChangeName, AccountChanges, AccountFlowChange } from './account-change.ts'
import { loginIdKeyOf } from './login-id-key.ts'
import { checkWritable, type ProfileAccess } from './profile-access.ts'

/** What a change of an account is decided by. */
export interface AccountFlowRules extends AccountRules, ProfileAccess {
  readonly kinds: FlowKinds
}

/** How a change goes on, with its name. */
export interface AccountFlow extends AccountPath {
  readonly name: AccountChangeName
}

/** By which name steps refer to the identity that a change is about. */
const identify = 'account_identify'
const current = 'current_password'

const paths: {
  readonly [Name in AccountChangeName]: (
    wanted: AccountChanges[Name],
    rules: AccountFlowRules,
  ) => AccountPath
} = {
  add_identity: (identification, { kinds }) => {
    if (kinds.identifications.get(identification)?.toRecord === undefined) throw modifyDisabled()
    return { steps: identifying(identification), needsFresh: true }
  },
  replace_identity: (id, { account, config }) => {
    const identity = identityOf(account, id)
    if (!isReplaceable(identity, config)) throw modifyDisabled()
    return {
      steps: identifying(identity.login_id_type),
      facts: [{ kind: 'identity_removed', identity }],
      needsFresh: true,
    }
  },
  verify_identity: (id, { account, config }) => {
    const identity = identityOf(account, id)
    if (!isVerifiable(identity, account, config)) {
      throw invariantViolated('ClaimNotVerifiable', 'there is nothing to be proven of it')
    }
    return {
      steps: [{ type: 'verify', target_step: identify }],
      // It must still be theirs when it is proven.
      facts: [{ kind: 'identity_used', identity_id: id }],
      entered: [{ type: 'identify', name: identify, identity_id: id }],
      needsFresh: false,
    }
  },
  create_authenticator: (wanted, rules) => creating(wanted, rules),
  change_password: (kind, rules) => {
    const authentication = `${kind}_password`
    if (passwordOf(rules.account, kind) === undefined) {
      if (kind === 'secondary' || !isCreatable(authentication, rules)) {
        throw changePasswordFailed('NoPassword')
      }
      return creating([authentication], rules)
    }
    return {
      steps: [
        { type: 'authenticate', name: current, one_of: [{ authentication }] },
        { type: 'change_password', target_step: current },
      ],
      needsFresh: false,
    }
  },
  create_passkey: (_, rules) => createPasskeyPath(rules),
  create_recovery_codes: (_, rules) => createRecoveryCodesPath(rules),
  fill_in_user_profile: (pointers, rules) => {
    checkWritable(pointers, rules.config, rules)
    const fields = [...new Set(pointers)].map((pointer) => ({ pointer, required: false }))
    return { steps: [{ type: 'fill_in_user_profile', user_profile: fields }], needsFresh: false }
  },
}

/**
 * The flow by which somebody changes their account.
 *
 * @throws {GatehouseError} `InvariantViolated` (`IdentityModifyDisabled`, `ClaimNotVerifiable`, `NoAuthenticator`, `DuplicatedAuthenticator`,
 *   `AnonymousUserDisallowed`), `ChangePasswordFailed` (`NoPassword`), `IdentityNotFound`, `AccessControlViolated`.
 */
export function accountFlow(change: AccountFlowChange, rules: AccountFlowRules): AccountFlow {
  const [[name, wanted]] = Object.entries(change) as [[AccountChangeName, unknown]]
  if (isAnonymous(rules.account.identities) && name !== 'fill_in_user_profile') {
    const message = 'who is anonymous becomes somebody by a flow promote'
    throw invariantViolated('AnonymousUserDisallowed', message)
  }
  // The type of a change says that its value is the one of its name.
  const path = paths[name] as (wanted: unknown, rules: AccountFlowRules) => AccountPath
  return { name, ...path(wanted, rules) }
}

/** Whether users can set up one of these. */
function isCreatable(
  authentication: Authentication,
  { config, kinds }: Pick<AccountFlowRules, 'config' | 'kinds'>,
): boolean {
  const authenticator = kinds.authenticators.get(authentication)
  if (authenticator?.creation === undefined) return false
  const { secondary_authentication_mode: mode, primary_authenticators: first } =
    config.authentication
  if (authenticator.kind === 'secondary') {
    return mode !== 'disabled' && secondFactors(config, kinds).includes(authenticator)
  }
  // A first factor by a code needs no setting up: every address that one is known by is one.
  return authentication === 'primary_password' && first.includes('password')
}

function creating(wanted: readonly Authentication[], rules: AccountFlowRules): AccountPath {
  const { account } = rules
  const creatable = [...new Set(wanted)].filter((one) => isCreatable(one, rules))
  const free = creatable.filter(
    (authentication) =>
      !authentication.endsWith('_password') || !hasFactor(account, { authentication }),
  )
  if (free.length === 0) throw creatable.length === 0 ? noAuthenticator() : authenticatorTaken()
  const codes = firstRecoveryCodes(rules)
  const one_of = free.map((authentication) =>
    authentication === 'primary_password' ? { authentication } : { authentication, steps: codes },
  )
  return { steps: [{ type: 'create_authenticator', is_demanded: true, one_of }], needsFresh: true }
}

/** An address is proven before it becomes the user's. */
function identifying(identification: Identification): readonly Step[] {
  const isAddress = identification === 'email' || identification === 'phone'
  const steps: readonly Step[] = isAddress ? [{ type: 'verify', target_step: identify }] : []
  return [{ type: 'identify', name: identify, one_of: [{ identification, steps }] }]
}

/** @throws {GatehouseError} `IdentityNotFound`, also for somebody else's. */
function identityOf({ identities }: Account, id: string): Identified<IdentityRecord> {
  const identity = identities.find((one) => one.id === id)
  if (identity === undefined) throw identityNotFound()
  return identity
}

/** Whether another login ID may take the place of an identity. */
function isReplaceable(
  identity: Identified<IdentityRecord>,
  config: LoadedAuthConfig,
): identity is Identified<LoginIdIdentity> {
  return identity.type === 'login_id' && loginIdKeyOf(identity, config)?.update_disabled !== true
}

/** Whether there is an address in an identity that is still to be proven, and can be. */
function isVerifiable(
  identity: Identified<IdentityRecord>,
  account: Account,
  { verification }: LoadedAuthConfig,
): boolean {
  const claim = provableClaim(identity)
  if (claim === undefined || !verification.claims[claim.name].enabled) return false
  return !isVerified(account, claim.name, claim.value)
}
