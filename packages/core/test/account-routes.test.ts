import { accountRoutes } from '@gatehouse/core'
import { authCollections } from '@gatehouse/core/auth'
import { createManualClock } from '@gatehouse/core/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { maya, sessionOf, signedIn, tom } from '../src/auth/own-account/account.fixture.ts'
import { addAuthenticator } from '../src/auth/people/add-authenticator.ts'
import { startOfTests, type TestAuth, testAuth } from '../src/auth/service.fixture.ts'
import { exchange } from './exchange.ts'
import { type SwitchingServer, startServer } from './servers.ts'
import { forEachServedStore, type Store } from './stores.ts'

const base = '/api/v1/account'
const secret = 'K5QW4ZLOM5SWK3TFOJQXIZLEEBRHSIDN'
const spare = 'spare@harborlight.example'

function describeAccounts(adapter: string, store: Store): void {
  describe(`accounts through ${adapter} on ${store.name}`, () => {
    let server: SwitchingServer
    beforeAll(async () => {
      server = await startServer(adapter)
    })
    afterAll(() => server.close())

    /** A service on a server, with functions to send requests to it. */
    async function serve() {
      const clock = createManualClock(startOfTests)
      const storage = await store.openEmpty(clock)
      const delta = {
        http: { public_origin: 'https://auth.example.com', allow_insecure: true, base_path: '/id' },
      }
      const world: TestAuth = { ...testAuth(delta, { storage, clock }), clock }
      server.serve([...world.auth.routes, ...accountRoutes(world.auth)])
      const send = async (method: string, path: string, cookie: string, body?: object) => {
        const answer = await exchange(server.port, {
          method,
          path: `/id${path}`,
          headers: { cookie },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        })
        return {
          status: answer.status,
          cookies: answer.values('set-cookie'),
          body: answer.text === '' ? undefined : JSON.parse(answer.text),
        }
      }
      return { world, storage, send }
    }

    it('are read and changed by their users', async () => {
      const { world, storage, send } = await serve()
      const person = await signedIn(world)
      const other = await sessionOf(world, person.id)
      const { cookie } = person.request
      const app = await addAuthenticator(world.auth, person.id, { type: 'totp', secret })

      const begun = await send('POST', `${base}/flows`, cookie, { add_identity: 'email' })
      const input = async (state_token: string, given: object) =>
        send('POST', '/api/v1/authentication_flows/states/input', cookie, {
          state_token,
          input: given,
        })
      const login = { identification: 'email', login_id: spare }
      const asked = await input(begun.body.result.state_token, login)
      const ended = await input(asked.body.result.state_token, { code: world.codeTo(spare) })
      expect(ended.body.result).toMatchObject({ type: 'account', action: { type: 'finished' } })

      const shown = (await send('GET', base, cookie)).body.result
      const emails = shown.identities.map(({ email }: { email: string }) => email)
      expect(emails.sort()).toEqual([maya.email, spare])
      const [identity] = shown.identities.filter(({ email }: { email: string }) => email === spare)
      const attributes = [{ pointer: '/nickname', value: 'May' }]
      const answers = [
        await send('DELETE', `${base}/identities/${identity.id}`, cookie),
        await send('DELETE', `${base}/identities/${identity.id}`, cookie),
        await send('DELETE', `${base}/authenticators/${app}`, cookie),
        await send('PATCH', `${base}/profile`, cookie, { attributes }),
        await send('DELETE', `${base}/sessions/${other.session.id}`, cookie),
        await send('POST', `${base}/sessions/revoke-others`, cookie),
        await send('POST', `${base}/device-tokens/revoke`, cookie),
        await send('PUT', base, cookie),
        await send('POST', `${base}/sign-out`, cookie),
        await send('GET', base, cookie),
      ]
      expect(answers.map(({ status }) => status)).toEqual([
        200, 404, 200, 200, 200, 200, 200, 405, 200, 401,
      ])
      expect(answers.at(-2)?.cookies[0]).toMatch(/^session=;/)
      expect(await person.details()).toMatchObject({
        identities: [{ email: maya.email }],
        authenticators: [{ type: 'password' }],
        standard_attributes: { email: maya.email, nickname: 'May' },
      })
      await storage.close()
    })

    it('refuse ids of other users, and texts that are not ids', async () => {
      const { world, storage, send } = await serve()
      const other = await signedIn(world, tom)
      const person = await signedIn(world)
      const { identities, authenticators } = await other.details()
      const ids = ['%00', '%E2%82%AC', 'x'.repeat(2_000), '..%2F..', '%27%3B--']
      const known = [identities[0]?.id, authenticators[0]?.id, other.session.id]
      for (const path of ['identities', 'authenticators', 'sessions']) {
        for (const id of [...ids, ...known]) {
          const refused = await send('DELETE', `${base}/${path}/${id}`, person.request.cookie)
          expect([path, id, refused.status]).toEqual([path, id, 404])
        }
      }
      expect(await other.details()).toMatchObject({ identities, authenticators })
      expect((await send('GET', base, other.request.cookie)).status).toBe(200)
      await storage.close()
    })
  })
}

forEachServedStore(authCollections, describeAccounts)
