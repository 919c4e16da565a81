import { getUser, listUsers } from '@gatehouse/core/auth'
import { createOAuthClient } from '@gatehouse/core/oauth'
import { describe, expect, it } from 'vitest'
import type { OidcClient } from '../src/index.ts'
import {
  createPerson,
  type Live,
  type Person,
  secret,
  startLive,
  type Visit,
} from './live.fixture.ts'

interface FlowResult {
  readonly state_token: string
  readonly action: {
    readonly type: string
    readonly data: Readonly<Record<string, string | undefined>>
  }
}

/** Sends a step of a flow, as a page of the portal does. */
async function step(
  person: Person,
  { origin }: Live,
  path: string,
  body: object,
): Promise<FlowResult> {
  const { text } = await person.open(`${origin}/api/v1/authentication_flows${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const { result, error } = JSON.parse(text) as { result?: FlowResult; error?: object }
  return result ?? expect.fail(JSON.stringify(error))
}

const portalClient = (origin: string): OidcClient => ({
  clientId: 'portal',
  name: 'Harbor Portal',
  type: 'web',
  clientSecret: secret,
  redirectUris: [`${origin}/signed-in`],
  consent: 'never',
})

/** One instance where people are known, and another one whose sign-in asks it. */
async function startPair(): Promise<{ readonly id: Live; readonly portal: Live }> {
  const id = await startLive({ oidc: {} })
  const work = {
    alias: 'work',
    type: 'oidc',
    client_id: 'portal',
    discovery_document_endpoint: `${id.origin}/.well-known/openid-configuration`,
  }
  const portal = await startLive({
    host: '127.0.0.1',
    oidc: {},
    email: 'luis@example.com',
    config: {
      authentication: { identities: ['oauth', 'login_id'], primary_authenticators: ['password'] },
      identity: { oauth: { providers: [work] } },
    },
    auth: {
      oauth: createOAuthClient({
        credentials: { work: { clientSecret: secret } },
        allowPrivateAddresses: true,
      }),
    },
  })
  id.oidc.update({ clients: [portalClient(portal.origin)] })
  return { id, portal }
}

/** Goes from the portal to the other instance, and back with what `visit` makes of its page. */
async function through(
  person: Person,
  portal: Live,
  type: 'signup' | 'login',
  visit: (page: Visit) => Promise<Visit> | Visit,
): Promise<FlowResult> {
  const redirectUri = `${portal.origin}/signed-in`
  const away = await step(person, portal, '', {
    type,
    name: 'default',
    input: { identification: 'oauth', alias: 'work', redirect_uri: redirectUri },
  })
  const page = await person.open(away.action.data.oauth_authorization_url ?? '')
  const back = await visit(page)
  expect(back.url.href.split('?')[0]).toBe(redirectUri)
  const query = back.url.search.slice(1)
  return step(person, portal, '/states/input', { state_token: away.state_token, input: { query } })
}

describe('an instance that signs people in with another one', () => {
  it('signs up who is known there, and asks nothing when they come again', async () => {
    const { id, portal } = await startPair()
    const person = createPerson()
    const signedUp = await through(person, portal, 'signup', (page) => person.signIn(page))
    expect(signedUp.action.type).toBe('finished')
    const { items } = await listUsers(portal.auth)
    const added = items.find((user) => user.id !== portal.userId)
    const { identities } = await getUser(portal.auth, added?.id ?? '')
    expect(identities).toMatchObject([{ type: 'oauth', subject: id.userId }])
    const again = await through(person, portal, 'login', (page) => page)
    expect(again.action.type).toBe('finished')
    expect(id.log() + portal.log()).not.toContain(secret)
  })

  it('lets nobody in any more once the other instance has no such client', async () => {
    const { id, portal } = await startPair()
    const person = createPerson()
    await through(person, portal, 'signup', (page) => person.signIn(page))
    id.oidc.update({ clients: [] })
    const away = await step(person, portal, '', {
      type: 'login',
      name: 'default',
      input: {
        identification: 'oauth',
        alias: 'work',
        redirect_uri: `${portal.origin}/signed-in`,
      },
    })
    const page = await person.open(away.action.data.oauth_authorization_url ?? '')
    expect([page.status, page.url.origin]).toEqual([400, id.origin])
  })
})
