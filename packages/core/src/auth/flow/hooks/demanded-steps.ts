import type { LoadedAuthConfig } from '../../config/config.ts'
import type { AuthenticateBranch, Step } from '../../config/flow-definition.ts'
import type { Asking } from '../asking.ts'
import type { Authenticator } from '../authenticator.ts'
import { bringsIdentities } from '../flow-type.ts'
import type { FlowKinds } from '../kinds.ts'
import { isLinked } from '../suspended-sign-up.ts'
import type { FlowView } from '../view.ts'
import { finalAmr, hasSecondFactor } from './final-amr.ts'
import { demandsOf } from './hook-demands.ts'

/** Any second factor satisfies it, also after an identity provider, whose own factor the session does not know. */
const severalFactors = 'mfa'

/**
 * The next step towards the AMR that hooks demand, for a flow that would otherwise end: existing users show a second factor, new
 * users enrol one. `undefined` if nothing is missing. The step fails if its options together cannot give what is missing.
 */
export function* demandedStep(view: FlowView, kinds: FlowKinds): Asking<Step | undefined> {
  const { state, config } = view
  const { amr: demanded } = demandsOf(state)
  if (demanded.length === 0) return undefined
  const has = new Set(yield* finalAmr(view, kinds))
  if (yield* hasSecondFactor(view, kinds)) has.add(severalFactors)
  const missing = demanded.filter((one) => !has.has(one))
  if (missing.length === 0) return undefined
  const particular = missing.filter((one) => one !== severalFactors)
  const branches = secondFactors(config, kinds).map(({ authentication }) => ({ authentication }))
  const isNew = bringsIdentities(state.type) && !isLinked(state)
  return isNew
    ? creation(branches, kinds.afterSecondFactor(view), particular)
    : { type: 'authenticate', one_of: branches, demanded_amr: particular }
}

/**
 * Whether an authenticator may be offered: a second factor only if it gives an `amr` value that hooks demand and the flow lacks,
 * as far as such values are missing. `mfa` is none of them, because every second factor gives it.
 */
export function* whatIsUseful(
  view: FlowView,
  authenticators: FlowKinds['authenticators'],
): Asking<(authentication: string) => boolean> {
  const { amr: demanded } = demandsOf(view.state)
  if (demanded.length === 0) return () => true
  const has = new Set([severalFactors, ...(yield* finalAmr(view, { authenticators }))])
  const missing = demanded.filter((one) => !has.has(one))
  return (authentication) => {
    const { kind, amr = [] } = authenticators.get(authentication) ?? {}
    return kind !== 'secondary' || missing.length === 0 || amr.some((one) => missing.includes(one))
  }
}

/** Whether all demanded `amr` values can be given by these authenticators together. */
export const canGive = (
  demanded: readonly string[],
  names: readonly string[],
  authenticators: FlowKinds['authenticators'],
): boolean =>
  demanded.every((one) => names.some((name) => authenticators.get(name)?.amr.includes(one)))

/** The second factors of the configuration in its order, then the host's own. */
export function secondFactors(
  { authentication }: LoadedAuthConfig,
  { authenticators, listedFactors }: FlowKinds,
): readonly Authenticator[] {
  const names = authentication.secondary_authenticators.map((name) => `secondary_${name}`)
  const place = ({ authentication: name }: Authenticator): number => names.indexOf(name)
  return [...authenticators.values()]
    .filter(
      (one) =>
        one.kind === 'secondary' && (place(one) >= 0 || !listedFactors.has(one.authentication)),
    )
    .sort((a, b) => (place(a) < 0 ? 1 : place(b) < 0 ? -1 : place(a) - place(b)))
}

function creation(
  branches: readonly AuthenticateBranch[],
  steps: readonly Step[],
  demanded: readonly string[],
): Step {
  return {
    type: 'create_authenticator',
    demanded_amr: demanded,
    one_of: branches.map((branch) => ({ ...branch, steps })),
  }
}
