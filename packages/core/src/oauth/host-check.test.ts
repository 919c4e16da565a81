import { expect, it } from 'vitest'
import { createFetchTransport } from './fetch-transport.ts'
import { createHostCheck } from './host-check.ts'
import { isPublicAddress } from './public-address.ts'
import { ForbiddenAddressError } from './transport.ts'

const hosts = new Map([
  ['public.example', ['8.8.8.8', '2a00:1450:4001:82b::200e']],
  ['mixed.example', ['8.8.8.8', '10.0.0.1']],
  ['inside.example', ['10.0.0.1']],
])
const check = createHostCheck({
  isAllowed: isPublicAddress,
  resolve: async (name) => hosts.get(name) ?? [],
})

it.each(['public.example', '8.8.8.8', '2a00:1450:4001:82b::200e'])(
  '%s may be asked',
  async (host) => {
    expect(await check(host)).toBeUndefined()
  },
)

it.each(['mixed.example', 'inside.example', 'nowhere.example', '127.0.0.1', '::1'])(
  '%s may not be asked',
  async (host) => {
    await expect(check(host)).rejects.toBeInstanceOf(ForbiddenAddressError)
  },
)

it('a name of this machine may not be asked', async () => {
  const checkHere = createHostCheck({ isAllowed: isPublicAddress })
  await expect(checkHere('localhost')).rejects.toBeInstanceOf(ForbiddenAddressError)
})

it('a fetch is not called for a host that may not be asked', async () => {
  const called: string[] = []
  const fetch = async (url: string) => {
    called.push(url)
    return new Response('{}')
  }
  const transport = createFetchTransport(fetch, check)
  const ask = (url: string) =>
    transport(
      { method: 'GET', url: new URL(url), headers: {}, body: undefined },
      new AbortController().signal,
    )
  await expect(ask('https://[::1]/')).rejects.toBeInstanceOf(ForbiddenAddressError)
  await expect(ask('https://inside.example/')).rejects.toBeInstanceOf(ForbiddenAddressError)
  expect((await ask('https://public.example/x')).status).toBe(200)
  expect(called).toEqual(['https://public.example/x'])
})
