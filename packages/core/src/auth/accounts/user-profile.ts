import { isJsonObject, type Json } from '../../storage/storage.ts'
import type { ValidationCause } from '../errors.ts'
import type { PhoneNumbers } from '../phone/phone-numbers.ts'
import { fits, type JsonSchema, validateJson } from '../schema/json-schema.ts'
import {
  type AttributeKind,
  type CustomAttribute,
  checkAttribute,
  customKind,
  standardKinds,
  withoutUnknownMembers,
} from './attribute-kind.ts'
import type { ClaimName } from './identity-record.ts'
import type { Attributes } from './user-record.ts'

export type { CustomAttribute } from './attribute-kind.ts'

/** The rules for the attributes of a `fill_in_user_profile` step. */
export interface AttributeRules {
  /** The attributes of the step, by pointer. */
  readonly user_profile: readonly { readonly pointer: string; readonly required: boolean }[]
  readonly custom_attributes: readonly CustomAttribute[]
  /** The claims of the user's identities: the only allowed values of these three attributes. */
  readonly claims: { readonly [Name in ClaimName]: readonly string[] }
  readonly phoneNumbers: PhoneNumbers
}

/** A change of one attribute. JSON. */
export interface AttributeChange {
  /** As `/address/locality`. */
  readonly pointer: string
  /** Absent to erase the attribute. */
  readonly value?: Json
}

/** The changes that given attributes make, or their validation causes. */
export type CheckedAttributes =
  | { readonly attributes: readonly AttributeChange[] }
  /** Locations are JSON pointers into the input. */
  | { readonly causes: readonly ValidationCause[] }

const claimNames: readonly ClaimName[] = ['email', 'phone_number', 'preferred_username']

/** Whether a pointer is that of a standard attribute. */
export function isStandardPointer(pointer: string): boolean {
  return standardKinds.has(pointer) || claimNames.some((name) => pointer === `/${name}`)
}

/**
 * Checks the attributes given for a step. Attributes that the step requests and the input omits are erased.
 *
 * @see Authgear, `fill_in_user_profile`
 */
export function checkAttributes(rules: AttributeRules, given: Json | undefined): CheckedAttributes {
  const list = given ?? null
  const causes = [...validateJson(listSchema(rules), list), ...checkValues(rules, list)]
  if (causes.length > 0) return { causes: causes.map((cause) => below('/attributes', cause)) }
  const values = new Map(readList(list).map(({ pointer, value }) => [pointer, value]))
  return {
    attributes: rules.user_profile.map(({ pointer }) => {
      const value = values.get(pointer)
      const kind = kindOf(pointer, rules)
      if (value === undefined || kind === undefined) return { pointer }
      return { pointer, value: withoutUnknownMembers(kind, value) }
    }),
  }
}

function listSchema({ user_profile }: AttributeRules): JsonSchema {
  const pointers = user_profile.map(({ pointer }) => pointer)
  const required = user_profile.filter((attribute) => attribute.required)
  return {
    type: 'array',
    // Each attribute once: a longer list would produce even more causes.
    maxItems: pointers.length,
    items: {
      type: 'object',
      required: ['pointer', 'value'],
      properties: { pointer: { type: 'string', enum: pointers } },
    },
    allOf: required.map(({ pointer }) => ({
      contains: {
        required: ['pointer'],
        properties: { pointer: { type: 'string', const: pointer } },
      },
    })),
  }
}

interface GivenAttribute {
  readonly index: number
  readonly pointer: string
  readonly value: Json
}

const attributeSchema: JsonSchema = {
  type: 'object',
  required: ['pointer', 'value'],
  properties: { pointer: { type: 'string' } },
}

/** The valid elements of a list. The causes cover the others. */
function readList(list: Json): readonly GivenAttribute[] {
  if (!Array.isArray(list)) return []
  return list.flatMap((item: Json, index) => {
    // Ensured by the schema.
    return fits(attributeSchema, item) ? [{ ...(item as unknown as GivenAttribute), index }] : []
  })
}

function checkValues(rules: AttributeRules, list: Json): readonly ValidationCause[] {
  const attributes = readList(list)
  if (attributes.length > rules.user_profile.length) return []
  return attributes.flatMap(({ index, pointer, value }) => {
    const isAsked = rules.user_profile.some((attribute) => attribute.pointer === pointer)
    const kind = isAsked ? kindOf(pointer, rules) : undefined
    const causes = kind === undefined ? [] : checkAttribute(kind, value)
    return causes.map((cause) => below(`/${index}/value`, cause))
  })
}

function kindOf(pointer: string, rules: AttributeRules): AttributeKind | undefined {
  const claim = claimNames.find((name) => pointer === `/${name}`)
  if (claim !== undefined) return { schema: { type: 'string', enum: rules.claims[claim] } }
  const custom = rules.custom_attributes.find((attribute) => attribute.pointer === pointer)
  return standardKinds.get(pointer) ?? (custom && customKind(custom, rules.phoneNumbers))
}

const below = (place: string, cause: ValidationCause): ValidationCause => ({
  ...cause,
  location: place + cause.location,
})

/** The attributes of a user. */
export interface UserProfile {
  readonly standard_attributes: Attributes
  readonly custom_attributes: Attributes
}

/** A profile after changes. Attributes without a change stay. */
export function changeAttributes(
  profile: UserProfile,
  changes: readonly AttributeChange[],
): UserProfile {
  let { standard_attributes, custom_attributes } = profile
  for (const { pointer, value } of changes) {
    const path = pointer.slice(1).split('/')
    if (isStandardPointer(pointer)) standard_attributes = changeAt(standard_attributes, path, value)
    else custom_attributes = changeAt(custom_attributes, path, value)
  }
  return { standard_attributes, custom_attributes }
}

function changeAt(
  attributes: Attributes,
  path: readonly string[],
  value: Json | undefined,
): Attributes {
  const [name = '', ...rest] = path
  const { [name]: before, ...others } = attributes
  const after = rest.length === 0 ? value : changeMember(before, rest, value)
  return after === undefined ? others : { ...others, [name]: after }
}

/** Removes an attribute once its last member is removed. */
function changeMember(
  attribute: Json | undefined,
  path: readonly string[],
  value: Json | undefined,
): Attributes | undefined {
  const after = changeAt(isJsonObject(attribute) ? attribute : {}, path, value)
  return Object.keys(after).length === 0 ? undefined : after
}
