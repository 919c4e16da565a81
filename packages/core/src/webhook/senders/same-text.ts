import { hashText, timingSafeEqual } from '../../crypto/crypto.ts'

/** Compares two texts in a time that depends only on their lengths. */
export function isSameText(a: string, b: string): boolean {
  return timingSafeEqual(hashText('sha256', a), hashText('sha256', b))
}
