import { createRandom, seedOf } from '../../test-support/random.ts'
import type { ClusterSize } from '../cluster.ts'
import type { Plan } from '../run.ts'

/** How people sign in. */
export type DocumentName = 'codes' | 'links' | 'passwords'

/**
 * What a stranger does who knows a person's address: asks for codes by a `login`, a `signup` or a `recovery`, `resend`s them,
 * guesses `codes` and a `password`, `check`s whether a link was approved, sends a passkey response or the callback of a provider
 * that was taken from the person, or forges a callback that the person's page takes for its own.
 */
const strangerActs = [
  'login',
  'signup',
  'recovery',
  'resend',
  'codes',
  'check',
  'password',
  'passkey',
  'callback',
  'forge',
] as const

/** What a person does, once. */
export type PersonAct = 'login' | 'recovery' | 'oauth' | 'passkey' | 'signup'

/** An action of a person, or of the stranger beside her. */
export type StrangersEvent =
  | ClusterSize
  | { readonly kind: 'document'; readonly at: 0; readonly name: DocumentName }
  | {
      readonly kind: 'person'
      readonly at: number
      readonly person: number
      readonly act: PersonAct
    }
  | {
      readonly kind: 'stranger'
      readonly at: number
      readonly person: number
      readonly act: (typeof strangerActs)[number]
    }

/** People who have an account; one more signs up. */
export const members = 2
/** Actions begin before this time, in ms. */
export const untilMs = 240_000

/** Draws the events of a run of the strangers world. */
export function planStrangers(seed: number): Plan<StrangersEvent> {
  const random = createRandom(seedOf(seed, 'plan'))
  const at = (): number => random.between(1_000, untilMs)
  const people = Array.from({ length: members + 1 }, (_, person): StrangersEvent => {
    const act =
      person < members
        ? random.pick(['login', 'login', 'recovery', 'oauth', 'passkey'] as const)
        : 'signup'
    return { kind: 'person', at: at(), person, act }
  })
  const strangers = Array.from({ length: random.between(5, 40) }, (): StrangersEvent => {
    return {
      kind: 'stranger',
      at: at(),
      person: random.between(0, members),
      act: random.pick(strangerActs),
    }
  })
  const events: StrangersEvent[] = [
    { kind: 'cluster', at: 0, machines: random.pick([1, 2]), skewMs: 0 },
    { kind: 'document', at: 0, name: random.pick(['codes', 'links', 'passwords'] as const) },
    ...people,
    ...strangers,
  ]
  return { seed, events: events.sort((a, b) => a.at - b.at) }
}
