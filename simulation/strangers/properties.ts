import type { Storage } from '@gatehouse/core'
import { authenticatorCollection } from '../../packages/core/src/auth/accounts/authenticator-record.ts'
import { identityCollection } from '../../packages/core/src/auth/accounts/identity-record.ts'
import { sessionCollection } from '../../packages/core/src/auth/accounts/session-record.ts'
import { sha256Hex } from '../../packages/core/src/crypto/crypto.ts'
import type { Failure } from '../run.ts'
import { type Clients, credentialOf, emailOf } from './clients.ts'
import type { Person } from './people.ts'
import { members } from './plan.ts'
import { stranger } from './stranger.ts'

/** The input of the checks at the end of a run of the strangers world. */
export interface StrangersRun {
  readonly people: readonly Person[]
  readonly clients: Clients
  readonly storage: Storage
  /** Of the members. */
  readonly ids: readonly string[]
}

const all = { by: 'id', limit: 1_000 } as const

/** Checks all properties, once everybody has finished or given up. */
export async function checkStrangers({
  people,
  clients,
  storage,
  ids,
}: StrangersRun): Promise<Failure[]> {
  const [identities, authenticators, sessions] = await Promise.all([
    identityCollection.find(storage, all),
    authenticatorCollection.find(storage, all),
    sessionCollection.find(storage, all),
  ])
  const failures: Failure[] = []
  const owners = new Map<string, string>()
  for (const { value } of identities) {
    if (value.email !== undefined && value.type === 'login_id')
      owners.set(value.user_id, value.email)
  }

  const hashes = new Map(sessions.map(({ value }) => [value.token_hash, value.user_id]))
  for (const { owner, token } of clients.cookies) {
    const userId = hashes.get(sha256Hex(token))
    const whose = userId === undefined ? undefined : owners.get(userId)
    if (owner === stranger && whose !== undefined) {
      failures.push({ property: 'no stranger gets a session', detail: `a session of ${whose}` })
    }
    if (owner !== stranger && userId !== undefined && whose !== owner) {
      const detail = `${owner} is signed in as ${whose ?? stranger}`
      failures.push({ property: 'nobody is signed in as somebody else', detail })
    }
  }

  for (const [userId, email] of owners) {
    const person = people.find((one) => one.email === email)
    const number = Array.from({ length: members + 1 }, (_, at) => emailOf(at)).indexOf(email)
    const isMember = ids.includes(userId)
    const own = identities.filter(({ value }) => value.user_id === userId)
    const isOurs = own.every(
      ({ value }) => value.email === email && (value.type !== 'oauth' || value.subject === email),
    )
    const shown = authenticators.flatMap(({ value }) => {
      if (value.user_id !== userId) return []
      if (value.type === 'password') return [value.hash.replace('plain:', '')]
      return [
        value.type === 'passkey'
          ? value.credential_id
          : `${value.type} ${value.type === 'totp' ? '' : JSON.stringify(value)}`,
      ]
    })
    const known = [
      ...(person?.passwords ?? []),
      ...(isMember ? ['tidal-lantern-42', credentialOf(number)] : []),
    ]
    const foreign = shown.filter(
      (one) => !known.includes(one) && !(one.startsWith('oob_otp') && one.includes(email)),
    )
    if (!isOurs || own.length !== (isMember ? 2 : 1) || foreign.length > 0) {
      const detail = `${email} has ${own.length} identities, and ${foreign.join(', ')}`
      failures.push({ property: 'no stranger changes an account', detail })
    }
  }

  for (const { email, wants, hasFinished, lostCode } of people) {
    if (lostCode)
      failures.push({ property: 'an own code stays good', detail: `${email}: ${wants}` })
    if (!hasFinished) failures.push({ property: 'people finish', detail: `${email}: ${wants}` })
  }
  return failures
}
