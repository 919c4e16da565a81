import { describe, expect, it } from 'vitest'
import { createMetricsRegistry } from '../../metrics/metrics.ts'
import type { AuthOptions } from '../auth-options.ts'
import { totpCode } from '../kinds/totp/totp.ts'
import { removeAuthenticator } from '../own-account/remove-authenticator.ts'
import { removeIdentity } from '../own-account/remove-identity.ts'
import { addAuthenticator } from '../people/add-authenticator.ts'
import { addIdentity } from '../people/add-identity.ts'
import { createUser } from '../people/create-user.ts'
import { listIdentities } from '../people/list-identities.ts'
import { setPassword } from '../people/set-password.ts'
import { updateUser } from '../people/update-user.ts'
import { decodeBase32 } from '../secrets/base32.ts'
import {
  type ConfigDelta,
  startFlow,
  stateOf,
  type TestAuth,
  testAuth,
} from '../service.fixture.ts'
import { startEvents } from '../start/start-events.ts'
import { createApiKey } from '../tokens/create-api-key.ts'

const email = 'maya@harborlight.example'
const work = 'maya@shipyard.example'
const password = 'tidal-lantern-42'
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

async function settle(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve))
}

/** Delivers what waits, once, as a process does that starts now. */
async function deliver({ auth }: TestAuth): Promise<void> {
  const running = startEvents(auth)
  await settle()
  await running.stop()
}

/** The notices that were sent, as kind and address. */
const noticesIn = ({ outbox }: TestAuth) =>
  outbox.messages
    .filter(({ code, link }) => code === undefined && link === undefined)
    .map(({ kind, target }) => `${kind} to ${target}`)

async function withMaya(delta: ConfigDelta = {}, options: Partial<AuthOptions> = {}) {
  const world = testAuth(delta, options)
  const id = await createUser(world.auth, { email, password })
  await deliver(world)
  expect(noticesIn(world)).toEqual([])
  return { ...world, id }
}

/** Recovers the account in a browser. */
async function recover(
  world: TestAuth,
  { userAgent = firefox, languages = '' } = {},
): Promise<void> {
  const flow = await startFlow(world, 'account_recovery', {
    userAgent,
    ip: '192.0.2.7',
    query: `ui_locales=${languages}`,
  })
  await flow.input({ identification: 'email', login_id: email })
  await flow.input({ index: 0 })
  await Promise.all(world.auth.sending)
  await flow.input({ account_recovery_code: world.codeTo(email) })
  stateOf(await flow.input({ new_password: 'copper-meadow-7' }))
}

describe('a mail about a new password', () => {
  it('says when, with what and from where it was set', async () => {
    const world = await withMaya({}, { geoIp: () => 'NO' })
    await recover(world)
    await deliver(world)
    expect(noticesIn(world)).toEqual([`password_changed to ${email}`])
    const mail = world.outbox.messages.at(-1)
    expect(mail).toMatchObject({ channel: 'email', locale: 'en', user_id: world.id })
    expect(mail?.subject).toBe('Your password was changed')
    expect(mail?.text).toBe(
      [
        'The password of your account at https://auth.example.com changed on 4 March 2026 at 10:00 UTC with Firefox on Linux from Norway.',
        'If it was you, there is nothing you need to do. If it was not, reset your password and end your other sessions at once.\n',
      ].join('\n\n'),
    )
    expect(mail?.html).toContain('Firefox on Linux from Norway')
  })

  it('leads people who did not do it to a page of the app', async () => {
    const world = await withMaya({ links: { not_me: 'https://app.example.com/not-me' } })
    await setPassword(world.auth, world.id, 'copper-meadow-7')
    await deliver(world)
    const mail = world.outbox.messages.at(-1)
    expect(mail?.text).toContain('sessions:\n\nhttps://app.example.com/not-me\n')
    expect(mail?.html).toContain('<a href="https://app.example.com/not-me"><span')
  })

  it('shows no text that the client has chosen', async () => {
    const world = await withMaya()
    await recover(world, { userAgent: 'Call +47 555 0100 to get your money back' })
    await deliver(world)
    const mail = world.outbox.messages.at(-1)
    expect(mail?.text).toContain('4 March 2026 at 10:00 UTC.\n')
    expect(JSON.stringify(mail)).not.toMatch(/Call|555 0100|money/)
  })

  it('has the texts of the app, in the language of the page', async () => {
    const messages = {
      de: { password_changed: { subject: 'Neues Passwort', text: 'Am {{.Time}}: {{.Device}}' } },
    }
    const world = await withMaya({}, { messages })
    await recover(world, { languages: 'de' })
    await deliver(world)
    expect(world.outbox.messages.at(-1)).toMatchObject({
      locale: 'de',
      subject: 'Neues Passwort',
      text: 'Am 4. März 2026 um 10:00 UTC: Firefox unter Linux',
    })
  })

  it('is in the language of its owner, not in that of the browser that made the change', async () => {
    const world = await withMaya()
    await updateUser(world.auth, world.id, { standard_attributes: { email, locale: 'ar-EG' } })
    await recover(world, { languages: 'ja' })
    await deliver(world)
    const mail = world.outbox.messages.at(-1)
    expect(mail).toMatchObject({ locale: 'ar', subject: 'تم تغيير كلمة مرورك' })
    expect(mail?.html).toContain('<html lang="ar" dir="rtl">')
  })

  it('is sent when the app replaces a password, not when it sets the first one', async () => {
    const world = await withMaya()
    const other = await createUser(world.auth, { email: work })
    await setPassword(world.auth, other, 'first-lantern-1')
    await setPassword(world.auth, world.id, 'copper-meadow-7')
    await deliver(world)
    expect(noticesIn(world)).toEqual([`password_changed to ${email}`])
  })
})

describe('a mail about a changed address', () => {
  it('goes to the addresses that were there before, not to the added one', async () => {
    const world = await withMaya()
    await addIdentity(world.auth, world.id, { type: 'email', value: work })
    await deliver(world)
    expect(noticesIn(world)).toEqual([`address_changed to ${email}`])
  })

  it('goes to the address that was taken away', async () => {
    const world = await withMaya()
    await addIdentity(world.auth, world.id, { type: 'email', value: work })
    await deliver(world)
    world.outbox.clear()
    const [first] = await listIdentities(world.auth, world.id)
    await removeIdentity(world.auth, world.id, first?.id ?? '')
    await deliver(world)
    expect(noticesIn(world)).toContain(`address_changed to ${email}`)
  })
})

describe('a mail about a factor', () => {
  it('is sent when one is added and when it is removed', async () => {
    const world = await withMaya()
    const totp = { type: 'totp', secret: 'K5QW4ZLOM5SWK3TFOJQXIZLEEBRHSIDN' } as const
    const factor = await addAuthenticator(world.auth, world.id, totp)
    await deliver(world)
    await removeAuthenticator(world.auth, world.id, factor)
    await deliver(world)
    expect(noticesIn(world)).toEqual([`factor_changed to ${email}`, `factor_changed to ${email}`])
  })
})

it('a mail about a factor is sent if a login sets one up', async () => {
  const world = await withMaya({
    authentication: {
      secondary_authentication_mode: 'required',
      secondary_authenticators: ['totp'],
      recovery_code: { disabled: true },
      secondary_authentication_grace_period: { enabled: true },
    },
  })
  const flow = await startFlow(world, 'login')
  await flow.input({ identification: 'email', login_id: email })
  await flow.input({ authentication: 'primary_password', password })
  const { data } = stateOf(await flow.input({ authentication: 'secondary_totp' })).action
  const key = decodeBase32(String(data.secret)) ?? new Uint8Array()
  const code = totpCode(key, Math.floor(world.clock.now() / 30_000))
  expect(stateOf(await flow.input({ code })).action.type).toBe('finished')
  await deliver(world)
  expect(noticesIn(world)).toEqual([`factor_changed to ${email}`])
})

it('a mail about an API key is sent once its user has one, and none for a service', async () => {
  const world = await withMaya({ api_keys: { scopes: ['orders:read'] } })
  const wanted = { name: 'laptop', scopes: ['orders:read'] }
  await createApiKey(world.auth, { ...wanted, service: 'billing' })
  await createApiKey(world.auth, { ...wanted, user_id: world.id })
  await deliver(world)
  expect(noticesIn(world)).toEqual([`api_key_created to ${email}`])
  expect(world.outbox.messages.at(-1)?.text).toContain('revoke the key')
  expect(JSON.stringify(world.outbox.messages)).not.toContain('gatehouse_')
})

describe('mails about changes', () => {
  it.each(['password_changed', 'address_changed', 'factor_changed'])(
    'are not sent of the kind %s if it is switched off',
    async (kind) => {
      const world = await withMaya({ messaging: { notices: { [kind]: false } } })
      await addIdentity(world.auth, world.id, { type: 'email', value: work })
      const totp = { type: 'totp', secret: 'K5QW4ZLOM5SWK3TFOJQXIZLEEBRHSIDN' } as const
      await addAuthenticator(world.auth, world.id, totp)
      await setPassword(world.auth, world.id, 'copper-meadow-7')
      await deliver(world)
      const kinds = new Set(world.outbox.messages.map((message) => message.kind))
      expect(kinds.has(kind as 'password_changed')).toBe(false)
      expect(kinds.size).toBe(2)
    },
  )

  it('are sent once, although two processes share the storage', async () => {
    const world = await withMaya()
    const other = testAuth({}, { storage: world.storage, clock: world.clock })
    await setPassword(world.auth, world.id, 'copper-meadow-7')
    await Promise.all([deliver(world), deliver(other)])
    expect([...noticesIn(world), ...noticesIn(other)]).toEqual([`password_changed to ${email}`])
  })

  it('are sent again if the mail server refuses, without the address in the log', async () => {
    const lines: string[] = []
    const note = (...given: unknown[]): void => void lines.push(JSON.stringify(given))
    const logger = { debug: note, info: note, warn: note, error: note }
    const metrics = createMetricsRegistry()
    const world = await withMaya({}, { logger, metrics })
    await setPassword(world.auth, world.id, 'copper-meadow-7')
    world.outbox.failNext(new Error(`no mailbox for ${email}`))
    await deliver(world)
    expect(noticesIn(world)).toEqual([])
    expect(lines.join()).toContain('no mailbox for')
    expect(lines.join()).not.toContain(email)
    world.clock.advance(60_000)
    await deliver(world)
    expect(noticesIn(world)).toEqual([`password_changed to ${email}`])
    const { body } = await metrics.expose(null)
    for (const outcome of ['failed', 'sent']) {
      expect(body).toContain(
        `gatehouse_auth_notices_sent_total{kind="password_changed",outcome="${outcome}"} 1\n`,
      )
    }
  })

  it('are kept back where the test mode says so', async () => {
    const email = { enabled: true, rules: [{ regex: 'harborlight', suppressed: true }] }
    const world = await withMaya({ test_mode: { email } })
    await setPassword(world.auth, world.id, 'copper-meadow-7')
    await deliver(world)
    expect(noticesIn(world)).toEqual([])
  })

  it('leave no events behind in a service that sends no mail', async () => {
    const world = testAuth({}, { senders: {}, onEvent: undefined })
    const id = await createUser(world.auth, { email, password })
    await setPassword(world.auth, id, 'copper-meadow-7')
    expect(world.auth.notices).toBeUndefined()
    await deliver(world)
    expect(noticesIn(world)).toEqual([])
  })
})
