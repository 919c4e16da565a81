import type { Fetch } from '@gatehouse/client'

/** Says that a page sends the request by itself, so that the server does not make the browser ask for a password. */
export const quiet = { 'x-requested-with': 'XMLHttpRequest' } as const

/** Permits the server to make the browser ask. */
const permitting = { 'x-gatehouse-sign-in': 'true' } as const

/** How long an answer to the question for the password counts that was no, in ms. */
const askAgainMs = 5_000

/**
 * Sends requests that never make the browser ask for a password. A browser that has one already sends it by itself only near the
 * place where it asked; elsewhere it waits for the server to ask. Such a request is sent once more, with the permission to ask.
 *
 * @param hasPassword whether the browser has a password that the server accepts.
 */
export function fetchQuietly(
  hasPassword: () => Promise<boolean>,
  fetch: Fetch = (url, init) => globalThis.fetch(url, init),
  now: () => number = () => performance.now(),
): Fetch {
  let known: { readonly answer: Promise<boolean>; readonly at: number } | undefined
  const mayAsk = async (): Promise<boolean> => {
    if (known === undefined || (now() - known.at > askAgainMs && !(await known.answer))) {
      known = { answer: hasPassword().catch(() => false), at: now() }
    }
    return known.answer
  }
  return async (url, init) => {
    const headers = { ...quiet, ...(init.headers as Readonly<Record<string, string>>) }
    const response = await fetch(url, { ...init, headers })
    if (response.status !== 401 || 'authorization' in headers || !(await mayAsk())) return response
    return fetch(url, { ...init, headers: { ...headers, ...permitting } })
  }
}
