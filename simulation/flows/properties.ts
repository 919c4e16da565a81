import type { Storage } from '@gatehouse/core'
import type { AuthEvent } from '@gatehouse/core/auth'
import {
  authenticatorCollection,
  identityCollection,
  identityKeyCollection,
  sessionCollection,
  userCollection,
} from '../../packages/core/src/auth/collections.ts'
import type { Struck } from '../cluster.ts'
import type { Failure } from '../run.ts'
import { emailOf, firstPassword, type People } from './people.ts'
import { members } from './plan.ts'
import { flowsPerMinute } from './world.ts'

/** What a run of the flows world is checked on at its end. */
export interface FlowsRun {
  readonly people: People
  readonly storage: Storage
  /** What the host was told, in that order. */
  readonly events: readonly AuthEvent[]
  readonly faults: readonly Struck[]
  /** Runs something while time passes; `undefined` if it does not end. */
  run<T>(work: () => Promise<T>): Promise<T | undefined>
}

const all = { by: 'id', limit: 1_000 } as const

/** Checks all that must hold when every fault has been over for long enough. */
export async function checkFlows(run: FlowsRun): Promise<Failure[]> {
  return [
    ...run.people.surprises.map((detail) => ({ property: 'every answer is known', detail })),
    ...takenOnce(run),
    ...withinLimits(run),
    ...(await storedAsAcknowledged(run)),
    ...(await madeWhole(run)),
    ...eventsTold(run),
  ]
}

/** Of those who race for a name, a code or a state, one gets it at most. */
function takenOnce({ people }: FlowsRun): Failure[] {
  const counts = new Map<string, number>()
  for (const { kind, race, email } of people.acknowledged) {
    // A name is taken once in all, anything else once in its race.
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
  // A clock that jumps ahead fills every bucket, as if that time had passed.
  if (faults.some(({ what }) => what === 'clock')) return []
  const created = new Map<number, number[]>()
  for (const { kind, race, at } of people.acknowledged) {
    if (kind === 'create') created.set(race, [...(created.get(race) ?? []), at])
  }
  return [...created].flatMap(([race, times]) => {
    // Clocks may differ by five seconds, and a bucket fills meanwhile.
    const passedMs = Math.max(...times) - Math.min(...times) + 5_000
    const most = flowsPerMinute + Math.ceil((passedMs / 60_000) * flowsPerMinute)
    if (times.length <= most) return []
    const detail = `${times.length} flows of race ${race} were created, of ${most}`
    return [{ property: 'limits hold for all processes together', detail }]
  })
}

/** What was acknowledged is so. */
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
    // Recoveries whose answer was lost may have come later.
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
      failures.push({ property, detail: `${email} has none of the passwords ${possible}` })
  }
  return failures
}

/** Users are there with all that belongs to them, or not at all. */
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
      failures.push({ property, detail: `there is no user ${value.user_id}` })
  }
  return failures
}

/** The host is told of every event, in places without a gap, and an event that is told again has the place it had. */
function eventsTold({ events, people }: FlowsRun): Failure[] {
  const failures: Failure[] = []
  const property = 'events are told'
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
  const told = new Set(made.map(({ id }) => id)).size
  if (told < signedUp.length) {
    const detail = `${signedUp.length} signed up, and ${told} events say so`
    failures.push({ property, detail })
  }
  return failures
}
