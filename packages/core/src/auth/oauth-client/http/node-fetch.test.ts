import { createServer } from 'node:https'
import type { AddressInfo, LookupFunction } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createCertificate } from '../../../http-client/certificate.fixture.ts'
import { startFakeServer } from '../fake-server.fixture.ts'
import type { FetchInit } from './fetch.ts'
import { createNodeFetch } from './node-fetch.ts'
import { isPublicAddress } from './public-address.ts'

const init: FetchInit = {
  method: 'GET',
  headers: {},
  redirect: 'manual',
  signal: new AbortController().signal,
}

/** A resolver that answers one list after another, and then with no addresses. */
function scriptedLookup(...answers: readonly (readonly string[])[]) {
  let asked = 0
  const lookup: LookupFunction = (_, __, callback) => {
    const addresses = answers[asked++] ?? []
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )
  }
  return { lookup, asked: () => asked }
}

describe('a name', () => {
  it('connects to the resolved address, without a second look-up', async () => {
    const { origin } = await startFakeServer()
    const { lookup, asked } = scriptedLookup(['127.0.0.1'], ['10.0.0.1'])
    const seen: string[] = []
    const isAllowed = (address: string): boolean => seen.push(address) > 0
    const fetch = createNodeFetch({ isAllowed, lookup })
    const answer = await fetch(origin.replace('127.0.0.1', 'provider.example'), init)
    expect(answer.status).toBe(404)
    expect([seen, asked()]).toEqual([['127.0.0.1'], 1])
  })

  it.each([
    ['one of its addresses is not public', ['8.8.8.8', '192.168.1.1']],
    ['its only address is of this machine', ['::1']],
    ['it has no address', []],
  ])('is refused if %s', async (_, addresses) => {
    const { lookup } = scriptedLookup(addresses)
    const fetch = createNodeFetch({ isAllowed: isPublicAddress, lookup })
    for (const url of ['https://provider.example', 'http://provider.example']) {
      await expect(fetch(url, init)).rejects.toMatchObject({
        name: 'ForbiddenAddressError',
      })
    }
  })

  it('may fail to resolve', async () => {
    const lookup: LookupFunction = (_, __, callback) =>
      callback(Object.assign(new Error('no such host'), { code: 'ENOTFOUND' }), [])
    const fetch = createNodeFetch({ isAllowed: isPublicAddress, lookup })
    await expect(fetch('https://provider.example', init)).rejects.toMatchObject({
      code: 'ENOTFOUND',
    })
  })

  it('may be resolved to a single address', async () => {
    const { origin } = await startFakeServer()
    const lookup: LookupFunction = (_, __, callback) => callback(null, '127.0.0.1', 4)
    const fetch = createNodeFetch({ isAllowed: () => true, lookup })
    const url = origin.replace('127.0.0.1', 'provider.example')
    expect((await fetch(url, init)).status).toBe(404)
  })
})

it('an address in a URL is checked before the connection', async () => {
  const { origin, requests } = await startFakeServer()
  const fetch = createNodeFetch({ isAllowed: isPublicAddress })
  await expect(fetch(origin, init)).rejects.toMatchObject({
    name: 'ForbiddenAddressError',
  })
  expect(requests).toEqual([])
})

it('a certificate of an unknown authority is not trusted', async () => {
  const server = createServer(createCertificate('provider', {}), (_, response) =>
    response.end('{}'),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
  const { port } = server.address() as AddressInfo
  const fetch = createNodeFetch({ isAllowed: () => true })
  await expect(fetch(`https://127.0.0.1:${port}/`, init)).rejects.toMatchObject({
    code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
  })
})
