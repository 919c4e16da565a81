import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createManualClock } from '@gatehouse/core/testing'
import { createSqliteStorage } from '@gatehouse/store-sqlite'
import { expect, it } from 'vitest'
import { totpCode } from '../src/auth/kinds/totp/totp.ts'
import { decodeBase32 } from '../src/auth/secrets/base32.ts'
import { startFlow, startOfTests, stateOf, testAuth } from '../src/auth/service.fixture.ts'

const email = 'maya@harborlight.example'
const password = 'tidal-lantern-42'

it('no secret of a sign-up or a login is stored or logged in clear text', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-secrets-'))
  const filename = join(folder, 'auth.db')
  const clock = createManualClock(startOfTests)
  const storage = createSqliteStorage({ filename, clock })
  const lines: string[] = []
  const note = (fields: object, message: string): void => {
    lines.push(JSON.stringify(fields), message)
  }
  const world = testAuth(
    { authentication: { secondary_authentication_mode: 'required' } },
    { storage, clock, logger: { debug: note, info: note, warn: note, error: note } },
  )
  const secrets: string[] = [password]
  const tokens = new Set<string>()

  const signup = await startFlow(world, 'signup')
  tokens.add(signup.token)
  await signup.input({ identification: 'email', login_id: email })
  const code = world.codeTo(email)
  tokens.add(signup.token)
  await signup.input({ code })
  tokens.add(signup.token)
  await signup.input({ authentication: 'primary_password', new_password: password })
  tokens.add(signup.token)
  const set = stateOf(await signup.input({ authentication: 'secondary_totp' }))
  const secret = String(set.action.data.secret)
  const key = decodeBase32(secret) ?? new Uint8Array()
  const totp = (): string => totpCode(key, Math.floor(clock.now() / 30_000))
  const view = stateOf(await signup.input({ code: totp() }))
  const recoveryCodes = view.action.data.recovery_codes as readonly string[]
  const done = await signup.input({ confirm_recovery_code: true })
  secrets.push(secret, ...recoveryCodes, ...done.cookies.map(({ value }) => value))

  clock.advance(60_000)
  const login = await startFlow(world, 'login')
  await login.input({ identification: 'email', login_id: email })
  await login.input({ authentication: 'primary_password', password })
  tokens.add(login.token)
  const trusted = await login.input({
    authentication: 'secondary_totp',
    code: totp(),
    request_device_token: true,
  })
  stateOf(trusted)
  secrets.push(...trusted.cookies.map(({ value }) => value))
  await storage.close()

  const stored = (await readFile(filename)).toString('latin1')
  const log = lines.join('\n')
  const inClear = [...secrets, ...tokens].filter((text) => {
    return text !== 'true' && (stored.includes(text) || log.includes(text))
  })
  expect(inClear).toEqual([])
  // A text that is not secret is found, so a secret would be found too.
  expect(stored.includes(email)).toBe(true)
  // A six-digit code may occur in a file by chance, but not as a separate text.
  expect(stored.includes(`"${code}"`)).toBe(false)
  expect(secrets.length).toBeGreaterThan(20)
  await rm(folder, { recursive: true })
})
