export { createPhoneNumbers } from './create-phone-numbers.ts'
export type { PhoneNumber, PhoneNumbers } from './phone-numbers.ts'
