import { type AccessAction, isClientError, type WhoAmI } from '@gatehouse/client'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTexts } from '../texts/texts.ts'
import { canSignIn, client, services } from './services.ts'

/** The subject of this browser's requests, and its rights. Only the alert service reports them. */
export const useMe = (): UseQueryResult<WhoAmI> =>
  useQuery({
    queryKey: ['me'],
    queryFn: ({ signal }) => client.me({}, { signal }),
    enabled: services.alerts !== undefined,
    staleTime: 30_000,
    // Until the user signs in, the answer stays the same.
    refetchInterval: ({ state }) => (isSignedOut(state.data, state.error) ? false : 60_000),
  })

/** Whether this browser may not even read alerts before a sign-in. */
export function isSignedOut(me: WhoAmI | undefined, error: unknown): boolean {
  if (isClientError(error)) return error.status === 401
  return me?.subject === null && lacksRights(me) && !me.actions.includes('alerts:read')
}

/**
 * Whether the subject may do something, and if not, why. Counts as allowed until it is known: the server decides again.
 *
 * @param granted what the subject may do with the thing, if the server said so.
 */
export function useMay(action: AccessAction, granted?: readonly AccessAction[]): May {
  const { access } = useTexts()
  const { data } = useMe()
  return useMemo(() => {
    const allowed = (granted ?? data?.actions)?.includes(action) ?? true
    if (allowed) return { allowed, reason: '', wouldSignIn: false }
    const wouldSignIn = data !== undefined && wouldHelp(data)
    const reason = wouldSignIn ? access.signInFirst : access.needs(action)
    return { allowed, reason, wouldSignIn }
  }, [data, action, granted, access])
}

/** Whether the subject may do something. */
export interface May {
  readonly allowed: boolean
  /** Why not; empty if allowed. */
  readonly reason: string
  /** Whether a sign-in would help. */
  readonly wouldSignIn: boolean
}

/** Whether signing in may give more rights, and can be done here. */
export const wouldHelp = (me: WhoAmI): boolean => canSignIn && lacksRights(me)

/** Whether the subject is unknown, and lacks a right that all senders have on an open server. */
const lacksRights = ({ subject, actions }: WhoAmI): boolean =>
  subject === null && !everyday.every((action) => actions.includes(action))

/** Rights that the console needs, and that all senders have on a server without `access`. */
const everyday: readonly AccessAction[] = [
  'alerts:read',
  'alerts:acknowledge',
  'silences:write',
  // Unknown senders never have it where requests are decided, so to sign in gives more even where all the rest is allowed.
  ...(services.webhooks === undefined ? [] : (['webhooks:run'] as const)),
]

/**
 * Loads a page as another subject, so that nothing that was read before is shown.
 *
 * @param hash its address within the console (default: the first page).
 */
export function startAgain(hash = ''): void {
  history.replaceState(null, '', hash.startsWith('#/') ? hash : '#/')
  location.reload()
}
