import type { LimitWeights } from '../flow/hooks/hook-demands.ts'
import type { BucketUse } from './limit-questions.ts'

const general = 'authentication.general'

/** The groups of limits on wrong secrets; the general weight applies to them too. */
const ofSecrets: ReadonlySet<string> = new Set([
  'authentication.password',
  'authentication.oob_otp.email.validate',
  'authentication.oob_otp.sms.validate',
  'authentication.totp',
  'authentication.recovery_code',
  'authentication.device_token',
  'authentication.passkey',
])

/** Applies the weights of a hook to uses of rate limits. Uses that cost nothing are dropped. */
export function weigh(uses: readonly BucketUse[], weights: LimitWeights): readonly BucketUse[] {
  return uses.flatMap((use): readonly BucketUse[] => {
    const weight = weightOf(use, weights)
    if (weight === undefined) return [use]
    return weight > 0 ? [{ ...use, weight }] : []
  })
}

function weightOf({ limit }: BucketUse, weights: LimitWeights): number | undefined {
  // Cooldowns belong to no group.
  if (limit === undefined) return undefined
  const { group } = limit
  const named = ofSecrets.has(group) ? [group, general] : [group]
  const found = named.find((one) => Object.hasOwn(weights, one))
  return found === undefined ? undefined : weights[found]
}
