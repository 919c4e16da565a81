import { userNotFound } from '../errors.ts'
import type { IdentificationKind } from '../flow/identification.ts'

/** Identification by a badge. `owners` maps badges to user ids. */
export function createBadgeIdentification(owners: ReadonlyMap<string, string>): IdentificationKind {
  return {
    identification: 'badge',
    *options() {
      return [{ identification: 'badge', reader: 'front door' }]
    },
    schema: () => ({ required: ['badge'], properties: { badge: { type: 'string' } } }),
    *identify(_option, { badge }) {
      const userId = owners.get(String(badge))
      if (userId === undefined) throw userNotFound({ IdentityTypeIncoming: 'badge' })
      return { kind: 'user', user_id: userId, reaction: {} }
    },
  }
}
