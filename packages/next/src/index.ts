// Gatehouse in a Next.js app: route handlers, sessions of server components and actions, and the proxy.

import type { AuthContext } from '@gatehouse/core/auth'
import { cookies, headers } from 'next/headers'
import { redirect } from 'next/navigation'
import {
  createNextAdapter,
  type NextAdapter,
  type NextAdapterOptions,
  type NextServices,
} from './next-adapter.ts'

export type {
  NextAdapter,
  NextAdapterOptions,
  NextHandler,
  NextHandlers,
  NextServices,
  RequireSessionOptions,
} from './next-adapter.ts'
export { withToken } from './with-token.ts'

/**
 * Creates what an app for Next.js uses of its services, in a module of its own that pages, actions, route handlers and `proxy.ts`
 * import. Nothing is started before the first request. Without an auth service it has no sessions.
 *
 * @throws {TypeError} with the first request, if `basePath` is not a path like `/api`, or one of `trustedProxies` not an address.
 * @example
 * const gatehouse = nextAdapter({ start: () => ({ auth }), routes: () => auth.routes })
 * const session = await gatehouse.currentSession()
 */
export function nextAdapter<Services extends { readonly auth: AuthContext }>(
  options: NextAdapterOptions<Services>,
): NextAdapter<Services>
export function nextAdapter<Services extends object>(
  options: NextAdapterOptions<Services>,
): NextServices<Services>
export function nextAdapter<Services extends object>(
  options: NextAdapterOptions<Services>,
): NextAdapter<Services> {
  return createNextAdapter({ headers, cookies, redirect }, options)
}
