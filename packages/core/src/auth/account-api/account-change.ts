import type { Json } from '../../storage/storage.ts'
import type { Authentication, Identification } from '../config/flow-definition.ts'
import { validationFailed } from '../errors.ts'
import { type JsonSchema, validateJson } from '../schema/json-schema.ts'

/** What a flow can do to the account of somebody who is signed in, by its name. */
export interface AccountChanges {
  /** One more way to say who one is: `email`, `phone`, `username`, `oauth`, or that of a kind of the host's own. */
  readonly add_identity: Identification
  /** The id of a login ID that another one of its type takes the place of. */
  readonly replace_identity: string
  /** The id of an identity whose address is to be proven. */
  readonly verify_identity: string
  /** Second factors to choose from, as `secondary_totp`, or a first password. */
  readonly create_authenticator: readonly Authentication[]
  readonly change_password: 'primary' | 'secondary'
  readonly create_passkey: true
  /** In place of those there are. */
  readonly create_recovery_codes: true
  /** Pointers of attributes, as `/given_name`. Those that are left out later are erased. */
  readonly fill_in_user_profile: readonly string[]
}

export type AccountChangeName = keyof AccountChanges

/** One change of an account: an object with one member. JSON. */
export type AccountFlowChange = {
  [Name in AccountChangeName]: { readonly [Only in Name]: AccountChanges[Name] }
}[AccountChangeName]

const text: JsonSchema = { type: 'string' }
/** More than there are of anything. */
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
 * Which change a value of JSON is. Members of other names are passed over.
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
