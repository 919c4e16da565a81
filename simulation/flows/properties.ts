import type { Storage } from '@gatehouse/core'
import type { AuthEvent } from '@gatehouse/core/auth'
import { authenticatorCollection } from '../../packages/core/src/auth/accounts/authenticator-record.ts'
import {
  identityCollection,
  identityKeyCollection,
} from '../../packages/core/src/auth/accounts/identity-record.ts'
import { sessionCollection } from '../../packages/core/src/auth/accounts/session-record.ts'
import { userCollection } from '../../packages/core/src/auth/accounts/user-record.ts'
import type { Struck } from '../cluster.ts'
import type { Failure } from '../run.ts'
import { emailOf, firstPassword, type People } from './people.ts'
import { flowsPerMinute, members } from './plan.ts'

/** The input of the checks at the end of a run of the flows world. */
export interface FlowsRun {
  readonly people: People
  readonly storage: Storage
  /** The events that the host received, in order. */
  readonly events: readonly AuthEvent[]
  readonly faults: readonly Struck[]
  /** Runs work while virtual time passes; `undefined` if it does not end. */
  run<T>(work: () => Promise<T>): Promise<T | undefined>
}

const all = { by: 'id', limit: 1_000 } as const

/** Checks all properties, once every fault has been over for long enough. */
export async function checkFlows(run: FlowsRun): Promise<Failure[]> {
  return [
    ...run.people.surprises.map((detail) => ({ property: 'every answer is known', detail })),
    ...takenOnce(run),
    ...withinLimits(run),
    ...(await storedAsAcknowledged(run)),
    ...(await madeWhole(run)),
    ...eventsArrive(run),
  ]
}

/** When several people race for a name, a code or a state, at most one gets it. */
function takenOnce({ people }: FlowsRun): Failure[] {
  const counts = new Map<string, number>()
  for (const { kind, race, email } of people.acknowledged) {
    // A name can be taken only once in the whole run, everything else once in its race.
    const what = kind === 'signup' ? `the name ${email}` : `${kind} ${race} of ${email}`
    if (kind !== 'create') counts.set(what, (counts.get(what) ?? 0) + 1)
  }
  return [...counts]
    .filter(([, count]) => count > 1)
    .map(([what, count]) => ({
      property: 'a name, a code, a state is taken once',
      detail: `${what} was taken ${count} times`,
    }))
}

/** A limit holds for all processes together. */
function withinLimits({ people, faults }: FlowsRun): Failure[] {
  // A clock that jumps ahead refills every bucket.
  if (faults.some(({ what }) => what === 'clock')) return []
  const created = new Map<number, number[]>()
  for (const { kind, race, at } of people.acknowledged) {
    if (kind === 'create') created.set(race, [...(created.get(race) ?? []), at])
  }
  return [...created].flatMap(([race, times]) => {
    // Clocks may differ by five seconds, in which a bucket refills.
    const passedMs = Math.max(...times) - Math.min(...times) + 5_000
    const most = flowsPerMinute + Math.ceil((passedMs / 60_000) * flowsPerMinute)
    if (times.length <= most) return []
    const detail = `${times.length} flows of race ${race} were created, of ${most}`
    return [{ property: 'limits hold for all processes together', detail }]
  })
}

/** Acknowledged changes are stored. */
async function storedAsAcknowledged({ people, run }: FlowsRun): Promise<Failure[]> {
  const failures: Failure[] = []
  const property = 'nothing acknowledged is lost'
  for (const { kind, email, password } of people.acknowledged) {
    if (kind !== 'signup' || password === undefined) continue
    if (await run(() => people.login(email, password))) continue
    failures.push({ property, detail: `${email} signed up with ${password}, which is refused` })
  }
  for (let person = 0; person < members; person++) {
    const email = emailOf(person)
    const asked = people.asked.filter((one) => one.email === email)
    const recovered = people.acknowledged.filter(
      (one) => one.kind === 'recover' && one.email === email,
    )
    const last = recovered.at(-1)
    // A recovery whose answer was lost may have happened later.
    const possible =
      last === undefined
        ? [firstPassword, ...asked.map(({ password }) => password)]
        : [
            last.password ?? '',
            ...asked
              .filter(({ password }) => !recovered.some((one) => one.password === password))
              .map(({ password }) => password),
          ]
    let isKnown = false
    for (const password of possible) {
      isKnown ||= (await run(() => people.login(email, password))) === true
    }
    if (!isKnown)
      failures.push({
        property,
        detail: `${email} cannot log in with any of the passwords ${possible}`,
      })
  }
  return failures
}

/** A user is stored with all identities and authenticators, or not at all. */
async function madeWhole({ storage }: FlowsRun): Promise<Failure[]> {
  const [users, identities, keys, authenticators, sessions] = await Promise.all([
    userCollection.find(storage, all),
    identityCollection.find(storage, all),
    identityKeyCollection.find(storage, all),
    authenticatorCollection.find(storage, all),
    sessionCollection.find(storage, all),
  ])
  const ids = new Set(users.map(({ id }) => id))
  const failures: Failure[] = []
  const property = 'users are stored whole or not at all'
  const counts = [users, identities, keys, authenticators].map(({ length }) => length)
  if (new Set(counts).size > 1) {
    const detail = `${counts.join(', ')} users, identities, keys of identities, authenticators`
    failures.push({ property, detail })
  }
  for (const { value } of [...identities, ...authenticators, ...sessions]) {
    if (!ids.has(value.user_id))
      failures.push({ property, detail: `the user ${value.user_id} does not exist` })
  }
  return failures
}

/** The host receives every event. Places have no gaps, and a repeated event keeps its place. */
function eventsArrive({ events, people }: FlowsRun): Failure[] {
  const failures: Failure[] = []
  const property = 'events arrive'
  const places = new Map<number, string>()
  for (const { seq = 0, id } of events) {
    const other = places.get(seq) ?? id
    if (other !== id)
      failures.push({ property, detail: `${other} and ${id} both have place ${seq}` })
    places.set(seq, id)
  }
  for (let seq = 1; seq <= Math.max(0, ...places.keys()); seq++) {
    if (!places.has(seq)) failures.push({ property, detail: `nothing has place ${seq}` })
  }
  const made = events.filter(({ type }) => type === 'user.created')
  const signedUp = people.acknowledged.filter(({ kind }) => kind === 'signup')
  const created = new Set(made.map(({ id }) => id)).size
  if (created < signedUp.length) {
    const detail = `${signedUp.length} signed up, and ${created} events report it`
    failures.push({ property, detail })
  }
  return failures
}
