import type { LoadedAuthConfig } from '../../config/config.ts'
import type { AuthenticateBranch, Step } from '../../config/flow-definition.ts'
import { noAuthenticator } from '../../errors.ts'
import type { Asking } from '../asking.ts'
import type { Authenticator } from '../authenticator.ts'
import { bringsIdentities } from '../flow-type.ts'
import type { FlowKinds } from '../kinds.ts'
import { usedAuthenticators } from '../session/used-authenticators.ts'
import { isLinked } from '../suspended-sign-up.ts'
import type { FlowView } from '../view.ts'
import { finalAmr } from './final-amr.ts'
import { demandsOf } from './hook-demands.ts'

/** Any second factor satisfies it, also after an identity provider, whose own factor the session does not know. */
const severalFactors = 'mfa'

/**
 * The next step towards the AMR that hooks demand, for a flow that would otherwise end: existing users show a second factor, new
 * users enrol one. `undefined` if nothing is missing.
 *
 * @throws {GatehouseError} `InvariantViolated` (`NoAuthenticator`) if no second factor gives a missing AMR value.
 */
export function* demandedStep(view: FlowView, kinds: FlowKinds): Asking<Step | undefined> {
  const { state, config } = view
  const { amr: demanded } = demandsOf(state)
  if (demanded.length === 0) return undefined
  const has = new Set(yield* finalAmr(view, kinds))
  const second = usedAuthenticators(state.facts, kinds).some(({ kind }) => kind === 'secondary')
  if (second) has.add(severalFactors)
  const missing = demanded.filter((one) => !has.has(one))
  if (missing.length === 0) return undefined
  const fitting = secondFactors(config, kinds).filter(
    ({ amr }) => missing.includes(severalFactors) || amr.some((one) => missing.includes(one)),
  )
  if (fitting.length === 0) throw noAuthenticator()
  const branches = fitting.map(({ authentication }) => ({ authentication }))
  const isNew = bringsIdentities(state.type) && !isLinked(state)
  return isNew
    ? creation(branches, kinds.afterSecondFactor(view))
    : { type: 'authenticate', one_of: branches }
}

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

function creation(branches: readonly AuthenticateBranch[], steps: readonly Step[]): Step {
  return {
    type: 'create_authenticator',
    is_demanded: true,
    one_of: branches.map((branch) => ({ ...branch, steps })),
  }
}
