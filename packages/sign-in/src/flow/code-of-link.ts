/** Reads the code of a password-reset link from the address of the page. `undefined` without a code, and on a server. */
export const codeOfLink = (): string | undefined =>
  typeof location === 'undefined'
    ? undefined
    : (new URLSearchParams(location.search).get('code') ?? undefined)

/** Takes the code out of the address: neither the history nor a referrer shall have it. */
export function forgetCodeOfLink(): void {
  const url = new URL(location.href)
  url.searchParams.delete('code')
  history.replaceState(history.state, '', url)
}
