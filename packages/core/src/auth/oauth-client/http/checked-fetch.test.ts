import { expect, it } from 'vitest'
import { createCheckedFetch } from './checked-fetch.ts'
import { type Fetch, type FetchInit, ForbiddenAddressError } from './fetch.ts'
import { isPublicAddress } from './public-address.ts'

const hosts = new Map([
  ['public.example', ['8.8.8.8', '2a00:1450:4001:82b::200e']],
  ['mixed.example', ['8.8.8.8', '10.0.0.1']],
  ['inside.example', ['10.0.0.1']],
])
const init: FetchInit = {
  method: 'GET',
  headers: {},
  redirect: 'manual',
  signal: new AbortController().signal,
}

/** Sends a request, and records the URLs that the inner `fetch` gets. */
async function ask(
  url: string,
  resolve?: (name: string) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  const called: string[] = []
  const inner: Fetch = async (asked) => {
    called.push(asked)
    return new Response('{}')
  }
  const options = resolve === undefined ? {} : { resolve }
  const fetch = createCheckedFetch(inner, { isAllowed: isPublicAddress, ...options })
  await fetch(url, init).catch((error) => {
    expect(error).toBeInstanceOf(ForbiddenAddressError)
  })
  return called
}

const resolve = async (name: string): Promise<readonly string[]> => hosts.get(name) ?? []

it.each(['public.example', '8.8.8.8', '[2a00:1450:4001:82b::200e]'])(
  '%s is allowed',
  async (host) => {
    const url = `https://${host}/x`
    expect(await ask(url, resolve)).toEqual([url])
  },
)

it.each(['mixed.example', 'inside.example', 'nowhere.example', '127.0.0.1', '[::1]'])(
  '%s is refused',
  async (host) => {
    expect(await ask(`https://${host}/`, resolve)).toEqual([])
  },
)

it('a name of this machine is refused', async () => {
  expect(await ask('https://localhost/')).toEqual([])
})
