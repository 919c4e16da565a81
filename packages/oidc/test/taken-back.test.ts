import { createSession, createUser, deleteUser } from '@gatehouse/core'
import { createMemoryStorage } from '@gatehouse/store-memory'
import { createSqliteStorage } from '@gatehouse/store-sqlite'
import * as client from 'openid-client'
import { describe, expect, it, onTestFinished } from 'vitest'
import { casesAt } from '../../../test-support/lane.ts'
import { interruptedStorage } from '../../core/test/interrupted-storage.ts'
import { appCollection } from '../src/apps/authorized-app.ts'
import { modelCollections } from '../src/models/model-record.ts'
import {
  authorize,
  type Browser,
  clients,
  startWorld,
  type Visit,
  type World,
} from './world.fixture.ts'

/** More calls of the storage than one request makes. */
const maxCalls = 100

const api = 'https://api.example.com'
const oidc = {
  clients: [{ ...clients.asking, resources: [api] }],
  resources: [{ identifier: api, scopes: ['read'] }],
}
const scope = { scope: 'openid email offline_access read', resource: api }

type Tokens = Awaited<ReturnType<typeof client.authorizationCodeGrant>>

/** A request, and the tokens that can be had by its outcome. */
interface Prepared {
  request(): Promise<unknown>
  follow(outcome: unknown): Promise<Tokens | undefined>
}

type Prepare = (world: World) => Promise<Prepared>

const tokensOf = async (given: unknown): Promise<Tokens | undefined> => given as Tokens | undefined

async function signedIn(world: World): Promise<Browser> {
  const browser = world.browser()
  browser.keep((await createSession(world.auth, world.userId, { amr: ['pwd'] })).cookies)
  return browser
}

async function begin(world: World, parameters: Readonly<Record<string, string>> = {}) {
  const configuration = await world.configuration('asking')
  const asked = await authorize(configuration, { ...scope, ...parameters })
  const redeem = async (back: Visit): Promise<Tokens | undefined> =>
    back.url.searchParams.has('code')
      ? client
          .authorizationCodeGrant(
            configuration,
            back.url,
            { pkceCodeVerifier: asked.verifier, expectedState: asked.state },
            { resource: api },
          )
          .catch(() => undefined)
      : undefined
  return { configuration, redeem, url: asked.url }
}

/** The app is let in by another browser, so that a person can take it back. */
async function letIn(world: World): Promise<Tokens> {
  const browser = await signedIn(world)
  const { url, redeem } = await begin(world)
  const back = await browser.send(await browser.open(url), { decision: 'allow' })
  return (await redeem(back)) ?? expect.fail('the app was not let in')
}

const consenting: Prepare = async (world) => {
  const browser = await signedIn(world)
  const { url, redeem } = await begin(world, { prompt: 'consent' })
  const page = await browser.open(url)
  return {
    request: () => browser.send(page, { decision: 'allow' }),
    follow: (back) => redeem(back as Visit),
  }
}

const comingBack: Prepare = async (world) => {
  const browser = await signedIn(world)
  const { url, redeem } = await begin(world)
  return { request: () => browser.open(url), follow: (back) => redeem(back as Visit) }
}

const redeeming: Prepare = async (world) => {
  const browser = await signedIn(world)
  const { url, redeem } = await begin(world)
  const back = await browser.open(url)
  return { request: () => redeem(back), follow: tokensOf }
}

const refreshing: Prepare = async (world) => {
  const { refresh_token: token = '' } = await letIn(world)
  const configuration = await world.configuration('asking')
  return {
    request: () =>
      client.refreshTokenGrant(configuration, token, { resource: api }).catch(() => undefined),
    follow: tokensOf,
  }
}

describe.each([
  { name: 'memory', open: createMemoryStorage },
  { name: 'SQLite', open: () => createSqliteStorage({ filename: ':memory:' }) },
])('on $name', ({ name, open }) => {
  /** All cases on the memory store, on SQLite usually one of each kind. */
  const casesHere = <T>(cases: readonly T[]): readonly T[] => casesAt([name], ['SQLite'], cases)

  /** Does something before each storage call of a request, and checks what the request has got. */
  async function atEachCall(
    prepare: Prepare,
    by: (world: World) => Promise<unknown>,
    check: (world: World, calls: readonly string[], tokens: Tokens | undefined) => Promise<void>,
  ): Promise<void> {
    const opened = open()
    const { storage, interrupt } = interruptedStorage(opened)
    const first = await startWorld({ storage, hasKeys: true, oidc })
    onTestFinished(() => opened.close())
    for (let call = 1; call < maxCalls; call++) {
      const userId = await createUser(first.auth, { email: `user-${call}@example.com` })
      const world = { ...first, userId }
      await letIn(world)
      const { request, follow } = await prepare(world)
      const { outcome, isInterrupted, calls } = await interrupt(call, () => by(world), request)
      const tokens = await follow(outcome)
      if (isInterrupted) await check(world, calls, tokens)
      else expect(tokens?.access_token).toMatch(/^ey/)
      if (!isInterrupted) return
    }
    expect.fail('the request does not end')
  }

  describe('an app', () => {
    it.each(
      casesHere([
        ['the person consents', consenting],
        ['it comes back without a question', comingBack],
        ['it redeems a code', redeeming],
        ['it refreshes its tokens', refreshing],
      ] as const),
    )('stays out that is taken back while %s', async (_, prepare) => {
      const takeBack = ({ oidc: server, userId }: World) => server.revokeApp(userId, 'asking')
      await atEachCall(prepare, takeBack, async (world, calls, tokens) => {
        // A consent that begins later counts.
        if (prepare === consenting && !calls.includes('get oidc_apps')) return
        const apps = await world.oidc.listApps(world.userId)
        const place = calls.at(-1)
        expect({ place, tokens, apps }).toEqual({ place, tokens: undefined, apps: [] })
      })
    })

    it.each(
      casesHere([
        ['consents', consenting],
        ['comes back', comingBack],
      ] as const),
    )('leaves nothing of a user who is deleted while the person %s', async (_, prepare) => {
      const end = ({ auth, userId }: World) => deleteUser(auth, userId)
      await atEachCall(prepare, end, async ({ auth, userId }, calls, tokens) => {
        const query = { by: 'user_id', equals: userId, limit: 9 } as const
        const left = await Promise.all(
          [appCollection, modelCollections.Grant].map((one) => one.find(auth.storage, query)),
        )
        const place = calls.at(-1)
        expect({ place, tokens, left }).toEqual({ place, tokens: undefined, left: [[], []] })
      })
    })
  })
})
