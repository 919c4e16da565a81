import { authCollections, deleteUser } from '@gatehouse/core/auth'
import type { Storage } from '@gatehouse/core/store'
import * as client from 'openid-client'
import { afterEach, beforeEach, describe, expect, vi } from 'vitest'
import { forEachStore, racesOn } from '../../core/test/stores.ts'
import { appCollection, idOfApp } from '../src/apps/authorized-app.ts'
import { oidcCollections } from '../src/collections.ts'
import { createModelAdapter } from '../src/models/model-adapter.ts'
import { modelCollections } from '../src/models/model-record.ts'
import { revokeGrant } from '../src/models/revoke-grant.ts'
import { authorize, callback, clients, origin, startWorld, type World } from './world.fixture.ts'

const collections = [...authCollections, ...oidcCollections]

/** A token endpoint is asked many times at once, by turns in two processes. */
const attempts = 6

forEachStore(collections, (store) => {
  describe(`two processes on ${store.name}`, () => {
    const inTurn = racesOn(store.name)
    let storage: Storage
    let worlds: readonly [World, World]
    beforeEach(async () => {
      storage = await store.openEmpty()
      const oidc = { clients: [clients.web, clients.spa, clients.native], deviceFlow: true }
      const one = await startWorld({ storage, oidc })
      worlds = [one, await startWorld({ storage, oidc, userId: one.userId })]
    })
    afterEach(() => storage.close())

    const post = async (world: World, form: Readonly<Record<string, string>>) => {
      const answer = await world.fetch(`${origin}/oidc/token`, {
        method: 'POST',
        body: new URLSearchParams({ client_id: 'spa', ...form }),
      })
      const body = (await answer.json()) as Readonly<Record<string, string>>
      return { status: answer.status, body }
    }

    const race = async (form: Readonly<Record<string, string>>) => {
      const answers = await Promise.all(
        Array.from({ length: attempts }, (_, index) => post(worlds[index % 2 === 0 ? 0 : 1], form)),
      )
      return answers.filter(({ status }) => status === 200).map(({ body }) => body)
    }

    const codeFor = async () => {
      const [one, other] = worlds
      const { url, verifier } = await authorize(await one.configuration('spa'))
      const browser = one.browser()
      const back = await browser.signIn(await browser.open(url))
      expect(other.userId).toBe(one.userId)
      return {
        grant_type: 'authorization_code',
        code: back.url.searchParams.get('code') ?? '',
        redirect_uri: callback,
        code_verifier: verifier,
      }
    }

    inTurn('redeem a code once, and end what was given for it when it comes again', async () => {
      const form = await codeFor()
      const [given, ...more] = await race(form)
      expect(more).toEqual([])
      expect(given).toBeDefined()
      await post(worlds[0], form)
      const refresh = { grant_type: 'refresh_token', refresh_token: given?.refresh_token ?? '' }
      expect((await post(worlds[1], refresh)).body.error).toBe('invalid_grant')
    })

    inTurn('use a refresh token once', async () => {
      const { body } = await post(worlds[1], await codeFor())
      const next = await race({
        grant_type: 'refresh_token',
        refresh_token: body.refresh_token ?? '',
      })
      expect(next).toHaveLength(1)
    })

    inTurn('publish the same keys, and take the tokens of each other', async () => {
      const published = await Promise.all(
        worlds.map(async (world) => (await world.fetch(`${origin}/oidc/jwks`)).json()),
      )
      expect(published[0]).toEqual(published[1])
      const { body } = await post(worlds[0], await codeFor())
      const configuration = await worlds[1].configuration('spa')
      const claims = await client.fetchUserInfo(
        configuration,
        body.access_token ?? '',
        worlds[1].userId,
      )
      expect(claims.sub).toBe(worlds[0].userId)
    })

    inTurn('let a device in that one of them knows', async () => {
      const configuration = await worlds[0].configuration('native')
      const { user_code, device_code } = await client.initiateDeviceAuthorization(configuration, {
        scope: 'openid',
      })
      const browser = worlds[1].browser()
      const entry = await browser.open('/oidc/device')
      const compare = await browser.send(entry, { user_code })
      const consent = await browser.signIn(await browser.send(compare, {}))
      await browser.send(consent, { decision: 'allow' })
      const form = {
        grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
        device_code,
        client_id: 'native',
      }
      const given = await race(form)
      // Those that come second end the grant, perhaps before the first has its tokens.
      expect(given.length).toBeLessThanOrEqual(1)
      expect((await post(worlds[1], form)).body.error).toBe('invalid_grant')
    })

    inTurn('end all tokens of a grant, however many there are', async () => {
      const { auth } = worlds[0]
      const tokens = createModelAdapter(auth)('RefreshToken')
      const names = Array.from({ length: 1_100 }, (_, index) => `token-${index}`)
      for (let from = 0; from < names.length; from += 100) {
        const some = names.slice(from, from + 100)
        await Promise.all(
          some.map((jti) => tokens.upsert(jti, { jti, grantId: 'one', kind: 'RefreshToken' }, 600)),
        )
      }
      await tokens.upsert('other', { jti: 'other', grantId: 'two', kind: 'RefreshToken' }, 600)
      await revokeGrant(auth, 'one')
      const left = await Promise.all([...names.slice(-500), 'other'].map((jti) => tokens.find(jti)))
      expect(left.filter((one) => one !== undefined)).toEqual([
        { jti: 'other', grantId: 'two', kind: 'RefreshToken' },
      ])
    })

    inTurn('take an app back once, with what both have given', async () => {
      const [one, other] = worlds
      const { body } = await post(other, await codeFor())
      const outcomes = await Promise.all(
        Array.from({ length: attempts }, (_, index) =>
          (index % 2 === 0 ? one : other).oidc.revokeApp(one.userId, 'spa'),
        ),
      )
      expect(outcomes.filter((is) => is)).toHaveLength(1)
      expect(await other.oidc.listApps(one.userId)).toEqual([])
      const refresh = { grant_type: 'refresh_token', refresh_token: body.refresh_token ?? '' }
      expect((await post(other, refresh)).body.error).toBe('invalid_grant')
    })

    inTurn('keep nothing of a user who is deleted, however much there is', async () => {
      const { userId } = worlds[0]
      await post(worlds[1], await codeFor())
      for (let from = 0; from < 600; from += 100) {
        const names = Array.from({ length: 100 }, (_, index) => `app-${from + index}`)
        const [authorized_at, last_used_at] = [0, 0]
        await storage.commit(
          names.map((client_id) =>
            appCollection.write(idOfApp(userId, client_id), {
              user_id: userId,
              client_id,
              scopes: [],
              resources: {},
              authorized_at,
              last_used_at,
            }),
          ),
        )
      }
      await deleteUser(worlds[1].auth, userId)
      const { Grant, Session, RefreshToken } = modelCollections
      const left = await Promise.all([
        ...[appCollection, Grant, Session].map((collection) =>
          collection.find(storage, { by: 'user_id', equals: userId, limit: 9 }),
        ),
        RefreshToken.find(storage, { by: 'id', limit: 9 }),
      ])
      expect(left).toEqual([[], [], [], []])
    })

    inTurn('keep nothing beyond its time', async () => {
      const codes = createModelAdapter(worlds[0].auth)('AuthorizationCode')
      await codes.upsert('code', { jti: 'code', kind: 'AuthorizationCode' }, 60)
      expect(await codes.find('code')).toBeDefined()
      vi.setSystemTime(Date.now() + 60_000)
      expect(await codes.find('code')).toBeUndefined()
    })

    inTurn('take a proof once that both get at the same time', async () => {
      const adapters = worlds.map(({ auth }) => createModelAdapter(auth)('ReplayDetection'))
      const outcomes = await Promise.allSettled(
        adapters.map((one) => one.upsert('proof', { jti: 'proof', kind: 'ReplayDetection' }, 60)),
      )
      expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    })
  })
})
