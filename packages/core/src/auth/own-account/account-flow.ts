import type { Account, Identified } from '../accounts/account.ts'
import { isAnonymous } from '../accounts/anonymous.ts'
import type { IdentityRecord, LoginIdIdentity } from '../accounts/identity-record.ts'
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
import { provableClaim } from '../flow/session/first-proof.ts'
import { loginIdKeyOf } from '../kinds/login-id/login-id-key.ts'
import { createPasskeyPath } from '../kinds/passkey/account-passkeys.ts'
import { passwordOf } from '../kinds/password/password-of.ts'
import {
  createRecoveryCodesPath,
  firstRecoveryCodes,
} from '../kinds/recovery-code/account-recovery-codes.ts'
import { hasFactor } from '../linking/linked-account.ts'
import type { AccountChangeName, AccountChanges, AccountFlowChange } from './account-change.ts'
import { checkWritable, type ProfileAccess } from './profile-access.ts'

/** The rules and the account that an account change depends on. */
export interface AccountFlowRules extends AccountRules, ProfileAccess {
  readonly kinds: FlowKinds
}

/** The path of a change, with its name. */
export interface AccountFlow extends AccountPath {
  readonly name: AccountChangeName
}

/** The step name that refers to the identity of the change. */
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
      throw invariantViolated('ClaimNotVerifiable', 'the identity has no address to verify')
    }
    return {
      steps: [{ type: 'verify', target_step: identify }],
      // The user must still have it when the code is entered.
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
 * Plans the flow that makes a change of an account.
 *
 * @throws {GatehouseError} `InvariantViolated` (`IdentityModifyDisabled`, `ClaimNotVerifiable`, `NoAuthenticator`,
 * `DuplicatedAuthenticator`, `AnonymousUserDisallowed`), `ChangePasswordFailed` (`NoPassword`), `IdentityNotFound`,
 * `AccessControlViolated`.
 */
export function accountFlow(change: AccountFlowChange, rules: AccountFlowRules): AccountFlow {
  const [[name, wanted]] = Object.entries(change) as [[AccountChangeName, unknown]]
  if (isAnonymous(rules.account.identities) && name !== 'fill_in_user_profile') {
    const message = 'anonymous users must be promoted by a promote flow'
    throw invariantViolated('AnonymousUserDisallowed', message)
  }
  // The type of a change ties the value to the name.
  const path = paths[name] as (wanted: unknown, rules: AccountFlowRules) => AccountPath
  return { name, ...path(wanted, rules) }
}

/** Whether users can enrol this authenticator. */
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
  // First factors by code need no enrolment: every address that identifies the user is one.
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
  return { steps: [{ type: 'create_authenticator', demanded_amr: [], one_of }], needsFresh: true }
}

/** Addresses are verified before they are added. */
function identifying(identification: Identification): readonly Step[] {
  const isAddress = identification === 'email' || identification === 'phone'
  const steps: readonly Step[] = isAddress ? [{ type: 'verify', target_step: identify }] : []
  return [{ type: 'identify', name: identify, one_of: [{ identification, steps }] }]
}

/** @throws {GatehouseError} `IdentityNotFound`, also for one of another user. */
function identityOf({ identities }: Account, id: string): Identified<IdentityRecord> {
  const identity = identities.find((one) => one.id === id)
  if (identity === undefined) throw identityNotFound()
  return identity
}

/** Whether an identity can be replaced with another login ID. */
function isReplaceable(
  identity: Identified<IdentityRecord>,
  config: LoadedAuthConfig,
): identity is Identified<LoginIdIdentity> {
  return identity.type === 'login_id' && loginIdKeyOf(identity, config)?.update_disabled !== true
}

/** Whether an identity has an address that can be verified and is not. */
function isVerifiable(
  identity: Identified<IdentityRecord>,
  account: Account,
  { verification }: LoadedAuthConfig,
): boolean {
  const claim = provableClaim(identity)
  if (claim === undefined || !verification.claims[claim.name].enabled) return false
  return !isVerified(account, claim.name, claim.value)
}
