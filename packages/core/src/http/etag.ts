import { sha256Base64Url } from '../crypto/crypto.ts'

const tags = new WeakMap<Uint8Array, string>()

/** The entity tag of a body. Equal bytes have equal tags in all processes; those of a body that is kept are hashed once. */
export function etagOf(body: Uint8Array): string {
  const known = tags.get(body)
  if (known !== undefined) return known
  const tag = `"${sha256Base64Url(body).slice(0, 22)}"`
  tags.set(body, tag)
  return tag
}

/** Whether a client with this `If-None-Match` has the body already. @see RFC 9110, section 13.1.2 */
export function hasTag(ifNoneMatch: string | null, tag: string): boolean {
  if (ifNoneMatch === null) return false
  if (ifNoneMatch.trim() === '*') return true
  return ifNoneMatch.split(',').some((given) => given.trim().replace(/^W\//, '') === tag)
}
