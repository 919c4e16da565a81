import { createAuth, fetchHandler } from '@gatehouse/core'
import { createMemoryStorage } from '@gatehouse/store-memory'
import { describe, expect, it, vi } from 'vitest'

const origin = 'https://id.example.com'

describe('the library', () => {
  it('is not loaded before the first request', async () => {
    const loaded = vi.fn()
    vi.resetModules()
    vi.doMock('oidc-provider', async (original) => {
      loaded()
      return original()
    })
    const { createOidcProvider } = await import('./index.ts')
    const auth = createAuth({
      storage: createMemoryStorage(),
      config: { id: 'test', http: { public_origin: origin } },
      secrets: [{ id: 'k1', key: 'test key of at least thirty-two bytes' }],
      logger: false,
    })
    const oidc = createOidcProvider({ auth, clients: [] })
    expect(await oidc.listKeys()).toEqual([])
    expect(await oidc.listApps('nobody')).toEqual([])
    expect(loaded).not.toHaveBeenCalled()
    const { status } = await fetchHandler(oidc.routes)(new Request(`${origin}/oidc/jwks`))
    expect([status, loaded.mock.calls.length]).toEqual([200, 1])
    vi.doUnmock('oidc-provider')
    vi.resetModules()
  })
})
