/** A parsed phone number. */
export interface PhoneNumber {
  /** For example `+6591234567`. */
  readonly e164: string
  /** Digits without `+`, for example `65`. */
  readonly countryCallingCode: string
  /** The digits after the country calling code. */
  readonly national: string
  /** ISO 3166-1 alpha-2, if the number determines it. */
  readonly region?: string
  /** Whether such numbers are in use, as far as the implementation knows. */
  readonly isValid: boolean
  /** Whether the length is possible for the country, as far as the implementation knows. */
  readonly isPossible: boolean
}

/** Parses phone numbers. */
export interface PhoneNumbers {
  /** Reads a number in international form. Returns `undefined` for any other text; never throws. */
  parse(text: string): PhoneNumber | undefined
}
