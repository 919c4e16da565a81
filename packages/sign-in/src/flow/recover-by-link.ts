import { type AuthClient, type Flow, isClientError } from '@gatehouse/client'

/** Reads the code of a password-reset link from the address of the page. `undefined` without a code, and on a server. */
const codeOfLink = (): string | undefined =>
  typeof location === 'undefined'
    ? undefined
    : (new URLSearchParams(location.search).get('code') ?? undefined)

/** Takes the code out of the address: neither the history nor a referrer shall have it. */
function forgetCodeOfLink(): void {
  const url = new URL(location.href)
  url.searchParams.delete('code')
  history.replaceState(history.state, '', url)
}

/**
 * Returns what begins a recovery: by the code of a password-reset link in the address of the page, else by `begin`. A code that the
 * service has refused is not sent again.
 */
export function recoverByLink(
  auth: () => Pick<AuthClient, 'recover'>,
  begin: () => Promise<Flow>,
): () => Promise<Flow> {
  let code = codeOfLink()
  return async () => {
    if (code === undefined) return begin()
    forgetCodeOfLink()
    try {
      return await auth().recover({ code })
    } catch (failure) {
      if (!isClientError(failure, 'Unreachable')) code = undefined
      throw failure
    }
  }
}
