import type { AuthClient } from './auth-client.ts'
import type { Flow, FlowAt } from './flow.ts'

/** The parts of a browser that handing over needs. */
interface Page {
  readonly location: { readonly href: string; assign(url: string): void }
  readonly sessionStorage: {
    getItem(key: string): string | null
    setItem(key: string, value: string): void
    removeItem(key: string): void
  }
}

const page = (): Page => globalThis as unknown as Page

const keyOf = (state: string): string => `gatehouse.flow.${state}`

/** Leads the browser to the identity provider. The tab keeps the token of the flow until it comes back. */
export function leaveForProvider(flow: FlowAt<'oauth_data'>): void {
  const { location, sessionStorage } = page()
  const url = new URL(flow.action.data.oauth_authorization_url)
  // Only the tab that left may continue the flow.
  const state = crypto.randomUUID()
  url.searchParams.set('state', state)
  sessionStorage.setItem(keyOf(state), flow.token)
  location.assign(url.href)
}

/**
 * On the page of the `redirect_uri`: continues the flow with the answer of the provider. `undefined` if this tab has not left for a
 * provider.
 *
 * @throws {GatehouseClientError} `OAuthError` if the provider refuses; `resume()` and a new choice continue. Others as `submit()`.
 */
export async function returnFromProvider(auth: AuthClient): Promise<Flow | undefined> {
  const { location, sessionStorage } = page()
  const { search, searchParams } = new URL(location.href)
  const key = keyOf(searchParams.get('state') ?? '')
  const token = sessionStorage.getItem(key)
  if (token === null) return undefined
  // The answer can be used once.
  sessionStorage.removeItem(key)
  const flow = await auth.resume(token)
  return flow.prompt === 'oauth_data' ? flow.submit({ query: search }) : flow
}
