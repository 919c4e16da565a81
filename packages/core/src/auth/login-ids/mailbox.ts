/**
 * The mailbox or phone that an address leads to, for comparing addresses of one user. Tags after a plus sign, dots before the at
 * sign and case are left out: with most providers such spellings lead to one mailbox.
 *
 * @see RFC 5233, subaddresses
 */
export function mailboxOf(address: string): string {
  const at = address.lastIndexOf('@')
  if (at < 0) return address
  const local = address.slice(0, at)
  const plus = local.indexOf('+')
  const name = plus <= 0 ? local : local.slice(0, plus)
  return `${name.replaceAll('.', '')}${address.slice(at)}`.toLowerCase()
}
