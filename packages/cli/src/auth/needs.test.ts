import { decodeAuthConfig } from '@gatehouse/core/auth'
import { parseWebhooksDocument } from '@gatehouse/core/webhook'
import { describe, expect, it } from 'vitest'
import type { AuthDocument } from './document.ts'
import { type AuthNeeds, findAuthNeeds, type PackageLoaders } from './needs.ts'

const missing = (name: string) => () =>
  Promise.reject(
    Object.assign(new Error(`Cannot find package '${name}' imported from /srv/a.js`), {
      code: 'ERR_MODULE_NOT_FOUND',
    }),
  )
const nothing: PackageLoaders = {
  passkeys: missing('@simplewebauthn/server'),
  oauth4webapi: missing('oauth4webapi'),
  ldapts: missing('ldapts'),
}

function needsOf(parts: object, loaders?: PackageLoaders): Promise<AuthNeeds> {
  const http = { public_origin: 'https://a.example' }
  const node = parseWebhooksDocument({ text: JSON.stringify({ id: 'a', http, ...parts }, null, 1) })
  const document: AuthDocument = { node, filename: 'authgear.json', path: '' }
  return findAuthNeeds(document, decodeAuthConfig(node), none, loaders)
}

const passkeys = {
  authentication: {
    identities: ['login_id', 'passkey'],
    primary_authenticators: ['password', 'passkey'],
  },
}
const provider = (...types: string[]) => ({
  identity: {
    oauth: { providers: types.map((type) => ({ alias: type, type, client_id: 'a' })) },
  },
})

const none = { hasBotSecret: false, hasHookSecret: false }

describe('findAuthNeeds()', () => {
  it.each<[string, object]>([
    ['uses none of it', {}],
    ['has only providers without signed tokens', provider('facebook', 'github', 'wechat')],
  ])('needs no package where a document %s', async (_, parts) => {
    expect(await needsOf(parts, nothing)).toEqual({ passkeys: undefined, problems: [] })
  })

  it('reports webhooks without a secret', async () => {
    const handlers = [{ event: 'user.pre_create', url: 'https://a.example/' }]
    const { problems } = await needsOf({ hook: { blocking_handlers: handlers } }, nothing)
    expect(problems).toMatchObject([
      { path: 'hook', message: expect.stringContaining('hook_secret') },
    ])
  })

  it('finds what is installed', async () => {
    const found = await needsOf({ ...passkeys, ...provider('google') })
    expect(found.problems).toEqual([])
    expect(found.passkeys).toHaveProperty('verifyCreation')
  })

  it('reports missing packages at the place that needs them', async () => {
    const found = await needsOf({ ...passkeys, ...provider('github', 'google') }, nothing)
    expect(found.passkeys).toBe(undefined)
    expect(found.problems).toEqual([
      {
        path: 'authentication.identities',
        code: 'conflict',
        line: 7,
        column: 17,
        message:
          'passkey needs the package "@simplewebauthn/server", which is not installed: npm install @simplewebauthn/server@14',
      },
      {
        path: 'identity.oauth.providers',
        code: 'conflict',
        line: 18,
        column: 17,
        message:
          'need the package "oauth4webapi", which is not installed: npm install oauth4webapi@3',
      },
    ])
  })

  it('rethrows other failures of a package', async () => {
    const broken = new Error('@simplewebauthn/server is broken')
    const loaders = { ...nothing, passkeys: () => Promise.reject(broken) }
    await expect(needsOf(passkeys, loaders)).rejects.toBe(broken)
  })
})
