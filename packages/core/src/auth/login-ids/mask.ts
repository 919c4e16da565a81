import { callingCodeOf } from '../phone/calling-codes.ts'
import type { LoginIdType } from './login-id.ts'

/** An email address with the second half of its local part hidden, as `us**@example.com`. */
export function maskEmail(address: string): string {
  const at = address.lastIndexOf('@')
  if (at < 0) return hideHalf(address)
  return hideHalf(address.slice(0, at)) + address.slice(at)
}

/** A phone number with the second half of its national digits hidden, as `+659123****`. */
export function maskPhone(e164: string): string {
  const digits = e164.replace(/^\+/, '')
  const code = callingCodeOf(digits) ?? ''
  return `+${code}${hideHalf(digits.slice(code.length))}`
}

/** The form of a login ID for strangers. */
export function maskLoginId(type: LoginIdType, text: string): string {
  if (type === 'email') return maskEmail(text)
  return type === 'phone' ? maskPhone(text) : text
}

/** For an odd number of characters, the middle one is hidden too. */
function hideHalf(text: string): string {
  const characters = [...text]
  const shown = Math.floor(characters.length / 2)
  return characters.slice(0, shown).join('') + '*'.repeat(characters.length - shown)
}
