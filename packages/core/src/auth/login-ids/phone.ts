import { regionsOf } from '../phone/calling-codes.ts'
import type { PhoneNumber, PhoneNumbers } from '../phone/phone-numbers.ts'
import {
  blocked,
  type LoginIdUse,
  type NormalizedLoginId,
  wrongFormat,
} from './login-id-problem.ts'

export type { PhoneNumber, PhoneNumbers } from '../phone/phone-numbers.ts'

/** The rules for phone numbers. Names in snake case are those of the configuration. */
export interface PhoneRules {
  /** In code points. */
  readonly maxLength: number
  /** ISO 3166-1 alpha-2 codes of the allowed countries (default all). */
  readonly allowlist?: ReadonlySet<string> | undefined
  readonly validation_method: 'isValidNumber' | 'isPossibleNumber'
  readonly phoneNumbers: PhoneNumbers
}

/** Normalizes a phone number in E.164 format, or returns its problem. */
export function normalizePhone(
  text: string,
  rules: PhoneRules,
  use: LoginIdUse,
): NormalizedLoginId {
  const number = readPhone(text, rules)
  if (number === undefined) return { problem: wrongFormat('phone') }
  const isBlocked = use === 'create' && !isAllowed(number, rules.allowlist)
  if (isBlocked) return { problem: blocked('PhoneNumberCountryCodeAllowlist') }
  return { normalized: number.e164, uniqueKey: number.e164 }
}

/** Parses and validates a phone number in E.164 format; `undefined` if it is invalid. */
export function readPhone(
  text: string,
  rules: Pick<PhoneRules, 'validation_method' | 'phoneNumbers'>,
): PhoneNumber | undefined {
  const number = rules.phoneNumbers.parse(text)
  if (number === undefined || number.e164 !== text) return undefined
  const isPassing = rules.validation_method === 'isValidNumber' ? number.isValid : number.isPossible
  return isPassing ? number : undefined
}

/** If a number may belong to several regions, one allowed region suffices. */
function isAllowed(number: PhoneNumber, allowlist: ReadonlySet<string> | undefined): boolean {
  if (allowlist === undefined) return true
  const { region, countryCallingCode } = number
  const regions = region === undefined ? regionsOf(countryCallingCode) : [region]
  return regions.some((one) => allowlist.has(one))
}
