import { defineCollection, type TypedCollection } from '../../storage/collection.ts'
import { isConflict, type Storage } from '../../storage/storage.ts'
import type { Clock, Instant } from '../../time/clock.ts'
import { proofMs } from './dpop-proof.ts'
import { verifierUnavailable } from './token-errors.ts'

/** Remembers the DPoP proofs that were used, so that each counts once. */
export interface ProofReplay {
  /**
   * Uses a proof. Returns whether it was new.
   *
   * @throws {GatehouseError} `TokenVerifierUnavailable` if it cannot be remembered.
   */
  use(id: string): Promise<boolean>
}

/** A proof may be made a minute ahead of this clock, and then counts for another minute. */
const rememberedMs = 2 * proofMs
/** The memory that they take is some 10 MB. */
const maxProofs = 100_000

/** Remembers proofs in this process. If there are too many, it accepts none until the first are too old to be sent again. */
export function createProofMemory(clock: Pick<Clock, 'monotonic'>): ProofReplay {
  // Two generations, so that dropping old proofs takes no search.
  let young = new Set<string>()
  let old = new Set<string>()
  let since = clock.monotonic()
  return {
    async use(id) {
      const age = clock.monotonic() - since
      if (age > rememberedMs) {
        old = age > 2 * rememberedMs ? new Set() : young
        young = new Set()
        since += age
      }
      if (young.has(id) || old.has(id)) return false
      if (young.size >= maxProofs) throw verifierUnavailable('too many DPoP proofs at once')
      young.add(id)
      return true
    },
  }
}

/** Used DPoP proofs by their id, kept while they could still be replayed. */
export const usedProofCollection: TypedCollection<{ readonly used_at: Instant }> = defineCollection(
  { name: 'auth_dpop_proofs' },
)

/** A proof may still be new by the clock of another process for this long. */
const clockSkewMs = 60_000

/** Remembers proofs in a storage, for all processes that use it. */
export function createProofRecords(storage: Storage, clock: Pick<Clock, 'now'>): ProofReplay {
  return {
    async use(id) {
      const used_at = clock.now()
      const expiresAt = used_at + rememberedMs + clockSkewMs
      const write = usedProofCollection.write(id, { used_at }, { expiresAt, if: 'absent' })
      try {
        await storage.commit([write])
        return true
      } catch (error) {
        if (isConflict(error)) return false
        throw verifierUnavailable('used DPoP proofs cannot be stored', error)
      }
    },
  }
}
