// Gatehouse in a Next.js app: route handlers, sessions of server components and actions, and the proxy.
import { cookies, headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { createNextAdapter, type NextAdapter, type NextAdapterOptions } from './next-adapter.ts'

export type {
  NextAdapter,
  NextAdapterOptions,
  NextHandler,
  NextHandlers,
  RequireSessionOptions,
} from './next-adapter.ts'

/**
 * Creates what an app for Next.js uses of the auth service, in a module of its own that pages, actions, route handlers and
 * `proxy.ts` import. Nothing is started before the first request.
 *
 * @throws {TypeError} with the first request, if `basePath` is not a path like `/api`, or one of `trustedProxies` not an address.
 * @example
 * const gatehouse = nextAdapter({ start: () => auth })
 * const session = await gatehouse.currentSession()
 */
export function nextAdapter(options: NextAdapterOptions): NextAdapter {
  return createNextAdapter({ headers, cookies, redirect }, options)
}
