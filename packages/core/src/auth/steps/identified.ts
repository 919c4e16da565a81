import type { IncomingIdentity } from '../accounts/incoming-identity.ts'
import type { FlowType, IdentifyBranch } from '../config/flow-definition.ts'
import { authError, invalidLoginId } from '../errors.ts'
import { isPromoted } from '../flow/account.ts'
import type { Asking } from '../flow/asking.ts'
import { carriedNote } from '../flow/carried.ts'
import { bringsIdentities } from '../flow/flow-type.ts'
import type {
  IdentificationKind,
  IdentificationOption,
  Identifying,
} from '../flow/identification.ts'
import { needFlow } from '../flow/need-flow.ts'
import type { FlowView, Reaction } from '../flow/view.ts'
import { enumerationBuckets } from '../limits/buckets.ts'
import { ask } from '../limits/limit-questions.ts'
import { linkOrSignUp } from '../linking/account-linking.ts'
import { checkUser, signIn } from '../linking/sign-in.ts'
import { hidesTaken } from '../linking/sign-up.ts'

/** The chosen option of an `identify` step, with its branch and kind. */
export interface Taken {
  readonly branch: IdentifyBranch
  readonly option: IdentificationOption
  readonly kind: IdentificationKind
  /** All kinds of identification. */
  readonly kinds: ReadonlyMap<string, IdentificationKind>
}

type Found = Exclude<Identifying, { readonly kind: 'prompt' }>

/** The reaction to an identification, by the type of the flow. */
export function* identified(taken: Taken, found: Found, view: FlowView): Asking<Reaction> {
  if (view.state.type === 'signup_login') return yield* becomes(taken, found, view)
  if (found.kind === 'user') return sayUser(taken, found, view)
  const { incoming, isAskedFor = false } = found
  const way = { ...taken, isAskedFor }
  if (!bringsIdentities(view.state.type)) return yield* signIn(way, incoming, view)
  const login = yield* loginOnConflict(taken, found, view)
  return login ?? (yield* linkOrSignUp(way, incoming, view))
}

/** Lets an anonymous user sign in by an identity that another user has, if configured so. */
function* loginOnConflict(
  { branch, option, kind }: Taken,
  identifying: Extract<Found, { readonly kind: 'identity' }>,
  view: FlowView,
): Asking<Reaction | undefined> {
  const { config, state } = view
  const isPromotion = state.facts.some(isPromoted)
  if (!isPromotion || config.identity.on_conflict.promotion !== 'login') return undefined
  if (hidesTaken(identifying.incoming, branch, view)) return undefined
  const uses = enumerationBuckets(view)
  yield* ask('spend', { uses })
  if (!(yield* isStored(kind, identifying.incoming))) {
    yield* ask('refund', { uses })
    return undefined
  }
  return {
    become: { ...needFlow(view, 'login', state.name), facts: [] },
    notes: carriedNote({ option, identifying: { ...identifying, isAskedFor: true } }),
  }
}

function sayUser(
  { branch }: Taken,
  { user_id: userId, reaction = {} }: Extract<Found, { readonly kind: 'user' }>,
  view: FlowView,
): Reaction {
  checkUser(userId, view)
  const { identification, steps = [] } = branch
  return {
    ...reaction,
    facts: [{ kind: 'user_identified', user_id: userId }, ...(reaction.facts ?? [])],
    entered: { identification, ...reaction.entered },
    steps,
  }
}

/** A flow that combines login and sign-up becomes one of them. */
function* becomes({ branch, option, kind }: Taken, found: Found, view: FlowView): Asking<Reaction> {
  const uses = found.kind === 'user' ? [] : enumerationBuckets(view)
  yield* ask('spend', { uses })
  const isKnown = found.kind === 'user' || (yield* isStored(kind, found.incoming))
  if (isKnown) yield* ask('refund', { uses })
  if (!isKnown && view.config.authentication.public_signup_disabled) {
    throw authError(
      'Forbidden',
      'AuthenticationFlowNoPublicSignup',
      'signing up is not open to the public',
    )
  }
  if (!isKnown && found.incoming.problem !== undefined) throw invalidLoginId(found.incoming.problem)
  const type: FlowType = isKnown ? 'login' : 'signup'
  const name = (isKnown ? branch.login_flow : branch.signup_flow) ?? 'default'
  return {
    become: needFlow(view, type, name),
    notes: carriedNote({
      option,
      identifying: found.kind === 'identity' ? { ...found, isAskedFor: true } : found,
    }),
  }
}

function* isStored(kind: IdentificationKind, incoming: IncomingIdentity): Asking<boolean> {
  return kind.find !== undefined && (yield* kind.find(incoming)) !== undefined
}
