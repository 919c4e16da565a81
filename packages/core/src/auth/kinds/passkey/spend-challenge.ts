import type { GatehouseError } from '../../../errors.ts'
import { defineCollection, type TypedCollection } from '../../../storage/collection.ts'
import type { Storage } from '../../../storage/storage.ts'
import { isConflict, type Write } from '../../../storage/storage.ts'
import type { Instant } from '../../../time/clock.ts'
import { authError } from '../../errors.ts'
import type { FlowRun } from '../../flow/run.ts'
import type { FlowInput } from '../../flow/view.ts'
import {
  type ChallengeMaker,
  type ChallengeUse,
  challengeOf,
  readChallenge,
} from './passkey-challenge.ts'

/** Challenges of passkeys that were used, by their id, kept while they could still be replayed. */
export const spentChallengeCollection: TypedCollection<{ readonly spent_at: Instant }> =
  defineCollection({ name: 'auth_webauthn_challenges' })

/** The error for a challenge that is not, or no longer, valid. */
export const sessionNotFound = (): GatehouseError =>
  authError('NotFound', 'WebAuthnSessionNotFound', 'challenge not found')

/** A challenge may still be valid by the clock of another process for this long. */
const clockSkewMs = 60_000

/** The challenge of a response. */
export interface AnsweredChallenge {
  readonly challenge: string
  /** The write that records the challenge as spent. */
  readonly spent: Write
}

/**
 * Reads the challenge that a response answers. A response counts once: `spent` must be committed before it has any effect.
 *
 * @throws {GatehouseError} `WebAuthnSessionNotFound` if the challenge is not of this flow, or has expired.
 */
export function answeredChallenge(
  { auth, now, session }: FlowRun<ChallengeMaker>,
  response: FlowInput,
  use: ChallengeUse,
): AnsweredChallenge {
  const challenge = challengeOf(response)
  const occasion = { use, flow_id: session.flow_id, now }
  const known = challenge === undefined ? undefined : readChallenge(auth, challenge, occasion)
  if (challenge === undefined || known === undefined) throw sessionNotFound()
  const expiresAt = known.expiresAt + clockSkewMs
  const spent = spentChallengeCollection.write(
    known.id,
    { spent_at: now },
    { expiresAt, if: 'absent' },
  )
  return { challenge, spent }
}

/**
 * Spends a challenge.
 *
 * @throws {GatehouseError} `WebAuthnSessionNotFound` if it was spent before.
 */
export async function spendChallenge(
  { auth }: FlowRun<{ readonly storage: Storage }>,
  spent: Write,
): Promise<void> {
  try {
    await auth.storage.commit([spent])
  } catch (error) {
    throw isConflict(error) ? sessionNotFound() : error
  }
}
