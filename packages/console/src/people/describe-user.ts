import type { User } from '@gatehouse/client'

/** The states of a user that an operator must know of, the most severe first. */
export type UserState = 'anonymized' | 'ending' | 'disabled' | 'outside' | 'active'

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value : undefined

/** The name that a list shows: the person's, else what the person signs in with, else the id. */
export function nameOfUser({ id, standardAttributes: attributes }: User): string {
  const { name, given_name, family_name, email, phone_number, preferred_username } = attributes
  const parts = [textOf(given_name), textOf(family_name)].filter((part) => part !== undefined)
  return (
    textOf(name) ??
    textOf(parts.join(' ')) ??
    textOf(preferred_username) ??
    textOf(email) ??
    textOf(phone_number) ??
    id
  )
}

/** The login IDs of a user that the profile has. */
export function loginIdsOfUser({ standardAttributes: attributes }: User): readonly string[] {
  const { email, phone_number, preferred_username } = attributes
  return [email, phone_number, preferred_username].flatMap((value) => textOf(value) ?? [])
}

export function stateOfUser(user: User, now: number): UserState {
  const { accountValidFrom: from, accountValidUntil: until } = user
  if (user.isAnonymized) return 'anonymized'
  if (user.deleteAt !== null || user.anonymizeAt !== null) return 'ending'
  if (user.isDisabled) return 'disabled'
  const isOutside =
    (from !== null && now < Date.parse(from)) || (until !== null && now >= Date.parse(until))
  return isOutside ? 'outside' : 'active'
}

const browsers = [
  ['Edge', /\bEdgA?\/(\d+)/],
  ['Opera', /\bOPR\/(\d+)/],
  ['Firefox', /\b(?:Firefox|FxiOS)\/(\d+)/],
  ['Chrome', /\b(?:Chrome|CriOS)\/(\d+)/],
  ['Safari', /\bVersion\/(\d+)[\d.]* (?:Mobile\/\w+ )?Safari\//],
] as const

const systems = [
  ['Android', /\bAndroid\b/],
  ['iOS', /\b(?:iPhone|iPad)\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['Linux', /\bLinux\b/],
] as const

/** A device as people call it, such as `Firefox 140, Linux`; an unknown user agent as it is, but short. */
export function deviceOf(userAgent: string | null): string | undefined {
  if (userAgent === null || userAgent === '') return undefined
  const browser = browsers.flatMap(([name, pattern]) => {
    const version = pattern.exec(userAgent)?.[1]
    return version === undefined ? [] : [`${name} ${version}`]
  })[0]
  const system = systems.find(([, pattern]) => pattern.test(userAgent))?.[0]
  const known = [browser, system].filter((part) => part !== undefined)
  return known.length > 0 ? known.join(', ') : userAgent.slice(0, 60)
}
