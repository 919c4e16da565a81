import type { Json } from '../../storage/storage.ts'
import type { ValidationCause } from '../errors.ts'
import { readEmail } from '../login-ids/email.ts'
import { readPhone } from '../login-ids/phone.ts'
import type { PhoneNumbers } from '../phone/phone-numbers.ts'
import { type JsonSchema, validateJson } from '../schema/json-schema.ts'
import {
  type AttributeFormat,
  birthdate,
  countryCode,
  languageTag,
  timezone,
  webAddress,
} from './attribute-formats.ts'

/** A custom attribute of the configuration. */
export interface CustomAttribute {
  readonly id: string
  /** As `/x_height`. */
  readonly pointer: string
  readonly type:
    | 'string'
    | 'number'
    | 'integer'
    | 'enum'
    | 'phone_number'
    | 'email'
    | 'url'
    | 'country_code'
  /** For numbers. */
  readonly minimum?: number | undefined
  /** For numbers. */
  readonly maximum?: number | undefined
  /** The values of an `enum`. */
  readonly enum?: readonly string[] | undefined
}

/** How the values of an attribute are checked. */
export interface AttributeKind {
  readonly schema: JsonSchema
  readonly format?: AttributeFormat
  /** The names of its string members. Unknown members are ignored, as in all inputs. */
  readonly members?: readonly string[]
}

const maxTextLength = 4_096
const text: AttributeKind = { schema: { type: 'string', minLength: 1 } }
const textAs = (format: AttributeFormat): AttributeKind => ({ ...text, format })

const addressMembers = [
  'formatted',
  'street_address',
  'locality',
  'region',
  'postal_code',
  'country',
]
const address: AttributeKind = {
  members: addressMembers,
  schema: {
    type: 'object',
    properties: Object.fromEntries(addressMembers.map((name) => [name, text.schema])),
  },
}

/** The standard attributes, by pointer. @see OpenID Connect Core, section 5.1 */
export const standardKinds: ReadonlyMap<string, AttributeKind> = new Map([
  ...['name', 'given_name', 'family_name', 'middle_name', 'nickname', 'picture', 'gender'].map(
    (name): [string, AttributeKind] => [`/${name}`, text],
  ),
  ['/profile', textAs(webAddress)],
  ['/website', textAs(webAddress)],
  ['/birthdate', textAs(birthdate)],
  ['/zoneinfo', textAs(timezone)],
  ['/locale', textAs(languageTag)],
  ['/address', address],
  ...addressMembers.map((name): [string, AttributeKind] => [`/address/${name}`, text]),
])

/** The kind of a custom attribute. */
export function customKind(attribute: CustomAttribute, phoneNumbers: PhoneNumbers): AttributeKind {
  const { type, minimum, maximum } = attribute
  switch (type) {
    case 'number':
    case 'integer':
      return {
        schema: {
          type,
          ...(minimum === undefined ? {} : { minimum }),
          ...(maximum === undefined ? {} : { maximum }),
        },
      }
    case 'enum':
      return { schema: { type: 'string', enum: attribute.enum ?? [] } }
    case 'phone_number':
      return textAs({ name: 'phone', matches: (value) => isPhone(value, phoneNumbers) })
    case 'email':
      return textAs({ name: 'email', matches: (value) => readEmail(value) !== undefined })
    case 'url':
      return textAs(webAddress)
    case 'country_code':
      return textAs(countryCode)
    case 'string':
      return text
  }
}

const isPhone = (value: string, phoneNumbers: PhoneNumbers): boolean =>
  readPhone(value, { validation_method: 'isValidNumber', phoneNumbers }) !== undefined

/** The validation causes of a value; locations are JSON pointers into it. */
export function checkAttribute(kind: AttributeKind, value: Json): readonly ValidationCause[] {
  const lengths = [
    checkLength(value, ''),
    ...membersOf(kind, value).map(([name, part]) => checkLength(part, `/${name}`)),
  ]
  const causes = [...lengths.flat(), ...validateJson(kind.schema, value)]
  const { format } = kind
  if (causes.length > 0 || format === undefined || typeof value !== 'string') return causes
  if (format.matches(value)) return []
  return [{ location: '', kind: 'format', details: { format: format.name } }]
}

/** Limits strings, so that a record does not grow as large as a request body. */
function checkLength(value: Json, location: string): readonly ValidationCause[] {
  if (typeof value !== 'string' || value.length <= maxTextLength) return []
  const details = { expected: maxTextLength, actual: value.length }
  return [{ location, kind: 'maxLength', details }]
}

/** Removes unknown members from a valid value. */
export function withoutUnknownMembers(kind: AttributeKind, value: Json): Json {
  return kind.members === undefined ? value : Object.fromEntries(membersOf(kind, value))
}

function membersOf({ members }: AttributeKind, value: Json): readonly (readonly [string, Json])[] {
  if (members === undefined || typeof value !== 'object' || value === null) return []
  return Object.entries(value).filter(([name]) => members.includes(name))
}
