import { createHash, randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { createPostgresStorage } from '@gatehouse/store-postgres'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import {
  bundleFixture,
  type FixtureProcess,
  startFixture,
} from '../../../test-support/fixture-process.ts'
import { describeWithPostgres, useDatabase } from '../../../test-support/postgres/use-postgres.ts'
import { modelCollections } from '../src/models/model-record.ts'

const callback = 'https://app.example.com/callback'

/** More commits than one request to the token endpoint makes. */
const maxCommits = 20

/** The server is behind a proxy that ends TLS. */
const byTls = { 'x-forwarded-proto': 'https' }

type Form = Readonly<Record<string, string>>
type Tokens = Readonly<Record<string, string>>

interface Running {
  readonly process: FixtureProcess
  readonly origin: string
}

describeWithPostgres('a process that is killed at the token endpoint', () => {
  const database = useDatabase()
  let program: string
  let survivor: Running
  let cookie: string
  const started: FixtureProcess[] = []

  beforeAll(async () => {
    program = await bundleFixture(new URL('./doomed-server.fixture.ts', import.meta.url))
  })
  afterAll(() => rm(program, { force: true }))
  beforeEach(async () => {
    survivor = await start(0)
    const [, found = ''] = await survivor.process.written(/^cookie (.*)$/)
    cookie = found
  })
  afterEach(async () => {
    await Promise.all(started.splice(0).map((one) => one.kill()))
  })

  async function start(commits: number): Promise<Running> {
    const process = startFixture(program, [database.url, String(commits)])
    started.push(process)
    const [, port] = await process.written(/^port (\d+)$/)
    return { process, origin: `http://127.0.0.1:${port}` }
  }

  /** The tokens, the error, or nothing if the process ended before it answered. */
  async function post({ origin }: Running, form: Form): Promise<Tokens | undefined> {
    const body = new URLSearchParams({ client_id: 'spa', ...form })
    try {
      const answer = await fetch(`${origin}/oidc/token`, {
        method: 'POST',
        headers: byTls,
        body,
      })
      return (await answer.json()) as Tokens
    } catch {
      return undefined
    }
  }

  /** What redeems a code of the person, who has signed in. */
  async function newCode(): Promise<Form> {
    const verifier = randomBytes(32).toString('base64url')
    const query = new URLSearchParams({
      client_id: 'spa',
      redirect_uri: callback,
      response_type: 'code',
      scope: 'openid',
      prompt: 'none',
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    })
    const answer = await fetch(`${survivor.origin}/oidc/authorize?${query}`, {
      redirect: 'manual',
      headers: { ...byTls, cookie },
    })
    const place = answer.headers.get('location') ?? expect.fail(await answer.text())
    const back = new URL(place)
    expect([back.origin, back.searchParams.get('error')]).toEqual(['https://app.example.com', null])
    return {
      grant_type: 'authorization_code',
      code: back.searchParams.get('code') ?? '',
      redirect_uri: callback,
      code_verifier: verifier,
    }
  }

  const refreshOf = (tokens: Tokens | undefined): Form => ({
    grant_type: 'refresh_token',
    refresh_token: tokens?.refresh_token ?? '',
  })

  /** How many refresh tokens there are that were not used. */
  async function liveRefreshTokens(): Promise<number> {
    const storage = createPostgresStorage({ timeoutMs: 60_000, url: database.url })
    try {
      const all = await modelCollections.RefreshToken.find(storage, { by: 'id', limit: 1_000 })
      return all.filter(({ value }) => value.payload.consumed === undefined).length
    } finally {
      await storage.close()
    }
  }

  /** Kills a process after each commit of a request in turn. Returns how many there are. */
  async function killAtEach(make: () => Promise<Form>): Promise<number> {
    for (let commits = 1; commits <= maxCommits; commits++) {
      const before = await liveRefreshTokens()
      const form = await make()
      const victim = await start(commits)
      const answer = await post(victim, form)
      if (answer !== undefined) {
        expect(answer).toHaveProperty('access_token')
        return commits - 1
      }
      await victim.process.ended
      await checkAfterKill(form, before)
    }
    throw new Error(`a request makes more than ${maxCommits} commits`)
  }

  /** The app sends its request again, since it has no answer. */
  async function checkAfterKill(form: Form, before: number): Promise<void> {
    const again = await post(survivor, form)
    if (again?.error === undefined) {
      expect(again).toHaveProperty('access_token')
      expect(await post(survivor, refreshOf(again))).toHaveProperty('access_token')
    } else {
      expect(again).toMatchObject({ error: 'invalid_grant' })
      // What the killed process had stored has ended: nobody holds it.
      expect(await liveRefreshTokens()).toBeLessThanOrEqual(before)
    }
    expect(await post(survivor, form)).toMatchObject({ error: 'invalid_grant' })
    expect(await liveRefreshTokens()).toBeLessThanOrEqual(before)
    const next = await post(survivor, await newCode())
    expect(next).toHaveProperty('access_token')
    await post(survivor, refreshOf(next))
    expect(await post(survivor, refreshOf(next))).toMatchObject({ error: 'invalid_grant' })
  }

  it('gives at most one set of tokens for a code, and the app can begin again', async () => {
    expect(await killAtEach(newCode)).toBeGreaterThanOrEqual(3)
  })

  it('gives at most one next refresh token, and the app can begin again', async () => {
    const newRefresh = async (): Promise<Form> => refreshOf(await post(survivor, await newCode()))
    expect(await killAtEach(newRefresh)).toBeGreaterThanOrEqual(3)
  })
})
