import { describe, expect, it } from 'vitest'
import { createMetricsRegistry } from '../../../metrics/metrics.ts'
import type { AuthOptions } from '../../auth-options.ts'
import { addAuthenticator } from '../../people/add-authenticator.ts'
import { createUser } from '../../people/create-user.ts'
import { setPassword } from '../../people/set-password.ts'
import { errorOf, startFlow, stateOf, type TestAuth, testAuth } from '../../service.fixture.ts'
import { createLeakedPasswords, isRangeUrl, type RangeFetch } from './leaked-passwords.ts'

const email = 'maya@harborlight.example'
/** Its SHA-1 is 5BAA61E4C9B93F3F0682250B6CF8331B7EE68FD8. */
const leaked = 'password'
const rest = '1E4C9B93F3F0682250B6CF8331B7EE68FD8'
const other = '0018A45C4D1DEF81644B54AB7F969B88D65'
const call = { signal: new AbortController().signal }

/** A service that answers with a range, and what it was asked. */
function rangeService(answer: string, status = 200) {
  const requests: { url: string; init: unknown }[] = []
  const fetch: RangeFetch = async (url, init) => {
    requests.push({ url, init })
    return new Response(answer, { status })
  }
  return { requests, isLeaked: createLeakedPasswords({ fetch }) }
}

describe('a lookup', () => {
  it('sends five digits of the hash and nothing else of the password', async () => {
    const { requests, isLeaked } = rangeService(`${other}:3\r\n${rest}:52256179\r\n`)
    expect(await isLeaked(leaked, call)).toBe(true)
    expect(requests).toEqual([
      {
        url: 'https://api.pwnedpasswords.com/range/5BAA6',
        init: {
          headers: { 'add-padding': 'true', 'user-agent': 'Gatehouse' },
          redirect: 'manual',
          signal: call.signal,
        },
      },
    ])
  })

  it.each([
    ['other hashes', `${other}:3`, false],
    ['the hash in small letters', `${rest.toLowerCase()}:1`, true],
    ['the hash as a line of disguise', `${rest}:0\r\n${other}:3`, false],
  ])('understands a range with %s', async (_, range, expected) => {
    expect(await rangeService(range).isLeaked(leaked, call)).toBe(expected)
  })

  it.each([
    ['a page', '<html>Sign in to this network</html>', 200],
    ['an empty answer', '', 200],
    ['a redirection', '', 302],
    ['a refusal', `${rest}:1`, 429],
    ['more than 256 KiB', `${other}:3\n`.repeat(7_000), 200],
  ])('rejects on %s', async (_, answer, status) => {
    await expect(rangeService(answer, status).isLeaked(leaked, call)).rejects.toThrow('the answer')
  })

  it('asks a service of the app at its URL', async () => {
    const urls: string[] = []
    const fetch: RangeFetch = async (url) => {
      urls.push(url)
      return new Response(`${other}:3`)
    }
    await createLeakedPasswords({ url: 'http://ranges.internal/', fetch })(leaked, call)
    expect(urls).toEqual(['http://ranges.internal/5BAA6'])
  })

  it.each(['ftp://ranges.example/', 'https://ranges.example', 'https://ranges.example/?q=/', '/'])(
    'has no service at %s',
    (url) => {
      expect(isRangeUrl(url)).toBe(false)
      expect(() => createLeakedPasswords({ url })).toThrow('ends with "/"')
    },
  )
})

/** A service in which one password is leaked, with the log and the outcomes of its checks. */
function worldWith(leakedPasswords: AuthOptions['leakedPasswords']) {
  const metrics = createMetricsRegistry()
  const lines: string[] = []
  const note = (...given: unknown[]): void => void lines.push(JSON.stringify(given))
  const logger = { debug: note, info: note, warn: note, error: note }
  const world = testAuth({}, { metrics, logger, ...(leakedPasswords ? { leakedPasswords } : {}) })
  const outcomes = async (): Promise<readonly string[]> =>
    [
      ...(await metrics.expose(null)).body.matchAll(
        /leaked_password_checks_total\{outcome="(.+)\n/g,
      ),
    ].map(([, line = '']) => line)
  return { world, lines, outcomes }
}

const knowsOne = (password: string): boolean => password === leaked
const refusal = {
  reason: 'PasswordPolicyViolated',
  info: { causes: [{ Name: 'PasswordLeaked' }] },
}

async function recover(world: TestAuth, newPassword: string) {
  const flow = await startFlow(world, 'account_recovery')
  await flow.input({ identification: 'email', login_id: email })
  await flow.input({ index: 0 })
  await Promise.all(world.auth.sending)
  await flow.input({ account_recovery_code: world.codeTo(email) })
  return flow.input({ new_password: newPassword })
}

describe('a leaked password', () => {
  it('is refused at a recovery, and another one is accepted', async () => {
    const { world, outcomes } = worldWith(knowsOne)
    await createUser(world.auth, { email, password: 'tidal-lantern-42' })
    expect(errorOf(await recover(world, leaked))).toMatchObject(refusal)
    stateOf(await recover(world, 'harbor-lantern-7'))
    expect(await outcomes()).toEqual(['clean"} 2', 'leaked"} 1'])
  })

  it('is refused where the app sets passwords', async () => {
    const { auth } = worldWith(knowsOne).world
    await expect(createUser(auth, { email, password: leaked })).rejects.toMatchObject(refusal)
    const id = await createUser(auth, { email })
    await expect(setPassword(auth, id, leaked)).rejects.toMatchObject(refusal)
    const second = { type: 'password', kind: 'secondary', password: leaked } as const
    await expect(addAuthenticator(auth, id, second)).rejects.toMatchObject(refusal)
  })

  it('is not looked up if the policy refuses it anyway', async () => {
    const asked: string[] = []
    const { auth } = worldWith((password) => asked.push(password) > 0).world
    await expect(createUser(auth, { email, password: 'short' })).rejects.toMatchObject({
      info: { causes: [{ Name: 'PasswordTooShort' }] },
    })
    expect(asked).toEqual([])
  })

  it('is accepted without a port', async () => {
    const { world, outcomes } = worldWith(undefined)
    await createUser(world.auth, { email, password: leaked })
    expect(await outcomes()).toEqual([])
  })
})

describe('a lookup that fails', () => {
  it('refuses nobody, is counted, and logs no password', async () => {
    const { world, lines, outcomes } = worldWith((password) => {
      throw new Error(`cannot look up ${password}`)
    })
    await createUser(world.auth, { email, password: leaked })
    expect(await outcomes()).toEqual(['failed"} 1'])
    expect(lines.join()).toContain('was not looked up among leaked ones')
    expect(lines.join()).not.toContain(`look up ${leaked}`)
  })

  it('is over after two seconds', async () => {
    let signal: AbortSignal | undefined
    const { world, outcomes } = worldWith((_, call) => {
      signal = call.signal
      return new Promise(() => {})
    })
    const made = createUser(world.auth, { email, password: leaked })
    await expect.poll(() => signal).toBeDefined()
    await world.clock.advance(2_000)
    await made
    expect(signal?.aborted).toBe(true)
    expect(await outcomes()).toEqual(['failed"} 1'])
  })
})
