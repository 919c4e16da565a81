import * as z from 'zod/mini'
import type { Json } from '../../storage/storage.ts'
import type { Authentication, Identification } from '../config/flow-definition.ts'
import { validationFailed } from '../errors.ts'
import { bodyDecoder } from '../schema/body-decoder.ts'

/** The changes that a flow can make to the account of a signed-in user, by name. */
export interface AccountChanges {
  /** Adds an identity: `email`, `phone`, `username`, `oauth`, or that of a custom kind. */
  readonly add_identity: Identification
  /** The id of a login ID to replace with another one of its type. */
  readonly replace_identity: string
  /** The id of an identity whose address is to be verified. */
  readonly verify_identity: string
  /** Second factors to choose from, as `secondary_totp`, or a first password. */
  readonly create_authenticator: readonly Authentication[]
  readonly change_password: 'primary' | 'secondary'
  readonly create_passkey: true
  /** Replaces the existing ones. */
  readonly create_recovery_codes: true
  /** Pointers of attributes, as `/given_name`. Attributes that the input omits are erased. */
  readonly fill_in_user_profile: readonly string[]
}

export type AccountChangeName = keyof AccountChanges

/** One change of an account: an object with one member. JSON. */
export type AccountFlowChange = {
  [Name in AccountChangeName]: { readonly [Only in Name]: AccountChanges[Name] }
}[AccountChangeName]

const loadChanges = async () => (await import('../api/account.ts')).accountChanges

const decodeChanges = bodyDecoder<Partial<AccountChanges>>(async () =>
  z.partial(z.object(await loadChanges())),
)

/**
 * Decodes a change. Members with unknown names are ignored.
 *
 * @throws {GatehouseError} `ValidationFailed`
 */
export async function decodeAccountChange(body: Json): Promise<AccountFlowChange> {
  const changes = await decodeChanges(body)
  const names = Object.keys(await loadChanges()) as AccountChangeName[]
  const given = names.filter((name) => Object.hasOwn(changes, name))
  const [name] = given
  if (name !== undefined && given.length === 1) {
    return { [name]: changes[name] } as AccountFlowChange
  }
  const details = { expected: names, actual: given }
  throw validationFailed([{ location: '', kind: 'oneOf', details }], 'invalid request body')
}
