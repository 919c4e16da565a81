import type { Json } from '../../storage/storage.ts'
import type { Authentication, Identification } from '../config/flow-definition.ts'
import { validationFailed } from '../errors.ts'
import { type JsonSchema, validateJson } from '../schema/json-schema.ts'

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

const text: JsonSchema = { type: 'string' }
/** The limit is above the number of authenticators and attributes. */
const texts: JsonSchema = { type: 'array', items: text, minItems: 1, maxItems: 100 }

const schemas: Readonly<Record<AccountChangeName, JsonSchema>> = {
  add_identity: text,
  replace_identity: text,
  verify_identity: text,
  create_authenticator: texts,
  change_password: { enum: ['primary', 'secondary'] },
  create_passkey: { const: true },
  create_recovery_codes: { const: true },
  fill_in_user_profile: texts,
}

/** The names of all changes. */
export const accountChangeNames: readonly AccountChangeName[] = Object.keys(
  schemas,
) as AccountChangeName[]

/**
 * Decodes a change. Members with unknown names are ignored.
 *
 * @throws {GatehouseError} `ValidationFailed`
 */
export function decodeAccountChange(body: Json): AccountFlowChange {
  const causes = validateJson({ type: 'object', properties: schemas }, body)
  if (causes.length > 0) throw validationFailed(causes, 'invalid request body')
  const given = accountChangeNames.filter((name) => Object.hasOwn(Object(body), name))
  const [name] = given
  if (name !== undefined && given.length === 1) {
    return { [name]: Object(body)[name] } as AccountFlowChange
  }
  const details = { expected: accountChangeNames, actual: given }
  throw validationFailed([{ location: '', kind: 'oneOf', details }], 'invalid request body')
}
