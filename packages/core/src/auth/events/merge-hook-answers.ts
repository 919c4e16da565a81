import type { HookAnswer } from '../flow/hooks/host-hook.ts'
import type { HookEvent } from './hook.ts'

/** The answers of two hooks to one event as one: later values win, and both demands on the `amr` hold. */
export function mergeHookAnswers(first: HookAnswer, second: HookAnswer): HookAnswer {
  const user = { ...first.mutations?.user, ...second.mutations?.user }
  const amr = [...(first.constraints?.amr ?? []), ...(second.constraints?.amr ?? [])]
  const rateLimits = { ...first.rate_limits, ...second.rate_limits }
  return {
    ...first,
    ...second,
    ...(Object.keys(user).length === 0 ? {} : { mutations: { user } }),
    ...(amr.length === 0 ? {} : { constraints: { amr: [...new Set(amr)] } }),
    ...(Object.keys(rateLimits).length === 0 ? {} : { rate_limits: rateLimits }),
  }
}

/** The event with the profile that a hook demands, for the next one. */
export function withMutations(event: HookEvent, { mutations }: HookAnswer): HookEvent {
  if (mutations?.user === undefined) return event
  // The others have no profile to change.
  if (event.type !== 'user.pre_create' && event.type !== 'user.profile.pre_update') return event
  const { user } = event.payload
  return { ...event, payload: { ...event.payload, user: { ...user, ...mutations.user } } }
}
