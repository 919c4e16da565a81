import type { Session } from '@gatehouse/core'
import { fulfilsLevels } from '../sessions/assurance-levels.ts'

/** The part of an interaction of the library that decides what a person must do. */
export interface PendingInteraction {
  readonly uid: string
  readonly iat: number
  readonly params: Readonly<Record<string, unknown>>
  readonly prompt: { readonly name: string; readonly reasons: readonly string[] }
  readonly result?: Readonly<Record<string, unknown>> | undefined
}

/** A parameter of the authorization request. */
export function parameterOf({ params }: PendingInteraction, name: string): string | undefined {
  const value = params[name]
  return typeof value === 'string' ? value : undefined
}

/**
 * The user that the client says it knows. The library has verified the token when the request arrived.
 *
 * @see OpenID Connect Core, section 3.1.2.1
 */
export function hintedUser(interaction: PendingInteraction): string | undefined {
  const [, claims = ''] = parameterOf(interaction, 'id_token_hint')?.split('.') ?? []
  if (claims === '') return undefined
  try {
    const { sub } = Object(JSON.parse(Buffer.from(claims, 'base64url').toString()))
    return typeof sub === 'string' ? sub : undefined
  } catch {
    return undefined
  }
}

/** The mark of a flow that has finished for this request, by the session that it went on with. */
const flowKey = 'flow'

/** The result of an interaction once a flow has finished for it. */
export const afterFlow = (session: string | null): Readonly<Record<string, unknown>> => ({
  [flowKey]: session,
})

const isFlowOf = ({ result }: PendingInteraction, { id }: Session): boolean =>
  result?.[flowKey] === id

/**
 * Whether a session was authenticated for this request. The library notes only the second at which a request arrived: a sign-in within the
 * same second counts if a flow of the request ended with it.
 */
function isFresh(interaction: PendingInteraction, session: Session): boolean {
  const { iat } = interaction
  const at = Math.floor(session.authenticated_at / 1_000)
  return at > iat || (at === iat && isFlowOf(interaction, session))
}

/** The task of the person before the request can go on. */
export type NextStep =
  /** Sign up or in, or show another factor. */
  | 'authenticate'
  /** Choose whether to go on as the person who is signed in. */
  | 'choose'
  /** The person has signed in for this request, and it still does not fit. */
  | 'unfit'
  | 'done'

/** Decides about the prompts `create`, `login` and `select_account`, given the session of the browser. */
export function nextStep(
  interaction: PendingInteraction,
  session: Session | undefined,
  nowMs: number,
): NextStep {
  if (session === undefined) return 'authenticate'
  const { reasons } = interaction.prompt
  const fresh = isFresh(interaction, session)
  const hinted = hintedUser(interaction)
  const levels = parameterOf(interaction, 'acr_values')
  if (hinted !== undefined && hinted !== session.user_id) return fresh ? 'unfit' : 'authenticate'
  if (levels !== undefined && !fulfilsLevels(levels, `aal${session.aal}`)) {
    return fresh ? 'unfit' : 'authenticate'
  }
  const isAsked = reasons.includes('create_prompt') || reasons.includes('login_prompt')
  if (isAsked && !fresh) return 'authenticate'
  const maxAge = parameterOf(interaction, 'max_age')
  if (maxAge !== undefined && !fresh) {
    const age = nowMs - session.authenticated_at
    if (age > Number(maxAge) * 1_000) return 'authenticate'
  }
  const isChosen = fresh || isFlowOf(interaction, session)
  return reasons.includes('select_account_prompt') && !isChosen ? 'choose' : 'done'
}
