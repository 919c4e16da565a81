// Checks phone numbers by the numbering plans of countries; needs the package `libphonenumber-js`.
export { createPhoneNumbers } from './create-phone-numbers.ts'
export type { PhoneNumber, PhoneNumbers } from './phone-numbers.ts'
