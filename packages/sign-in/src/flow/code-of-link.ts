/** The code of a link that resets a password, in the address of the page; on a server there is none. */
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
