/** A phone number that was understood. */
export interface PhoneNumber {
  /** As `+6591234567`. */
  readonly e164: string
  /** Digits without `+`, as `65`. */
  readonly countryCallingCode: string
  /** The digits after the country calling code. */
  readonly national: string
  /** ISO 3166-1 alpha-2, where the number tells. */
  readonly region?: string
  /** Whether such numbers are in use, as far as the implementation knows. */
  readonly isValid: boolean
  /** Whether it has a length that numbers of its country can have, as far as the implementation knows. */
  readonly isPossible: boolean
}

/** What knows phone numbers. */
export interface PhoneNumbers {
  /** Reads a number in international form. Answers `undefined` for what is none; never throws. */
  parse(text: string): PhoneNumber | undefined
}
