import { createAuthClient, type Flow } from '@gatehouse/client'
import { createAuth, createUser, fetchHandler } from '@gatehouse/core'
import { createScryptHasher } from '@gatehouse/core/auth'
import { createMessageOutbox, totpCode } from '@gatehouse/core/testing'
import { createMemoryStorage } from '@gatehouse/store-memory'
import { expect, it } from 'vitest'
import { formsOf } from '../src/forms.ts'

const origin = 'https://harbor.example'

function serve(sections: object = {}) {
  const outbox = createMessageOutbox()
  const auth = createAuth({
    storage: createMemoryStorage(),
    config: { id: 'harbor', http: { public_origin: origin }, ...sections },
    secrets: [{ id: 'k1', key: 'a key for tests, of 32 bytes or more' }],
    hasher: createScryptHasher({ N: 16, r: 1, p: 1 }),
    senders: outbox.senders,
    logger: false,
    botVerifier: { verify: async () => 'passed' },
  })
  const answer = fetchHandler(auth.routes)
  const fetch = (url: string | URL | Request, init?: RequestInit) => answer(new Request(url, init))
  return { auth, outbox, client: createAuthClient({ url: origin, fetch }) }
}

/** Fills in a form of a step, and sends it. */
async function fill(flow: Flow, name: string, typed: Readonly<Record<string, string>> = {}) {
  const form = formsOf(flow).find((one) => one.name === name)
  if (form === undefined) throw new Error(`${flow.prompt} has no form ${name}`)
  expect(form.fields.map((field) => field.name)).toEqual(expect.arrayContaining(Object.keys(typed)))
  return flow.send(await form.inputOf((field) => typed[field] ?? ''))
}

it('leads through a sign-up and a login with a second factor', async () => {
  const email = 'lena@example.com'
  const { outbox, client } = serve({
    authentication: {
      secondary_authentication_mode: 'required',
      secondary_authenticators: ['totp'],
    },
  })
  const begun = await client.begin('signup')
  expect(formsOf(begun)).toMatchObject([
    {
      name: 'email',
      fields: [{ name: 'login_id', type: 'email', autoComplete: 'username', required: true }],
    },
  ])
  const sent = await fill(begun, 'email', { login_id: ` ${email} ` })
  expect(formsOf(sent).map(({ name }) => name)).toEqual(['verify', 'resend'])
  const proven = await fill(sent, 'verify', { code: outbox.codeTo(email) })
  const password = ' a pass phrase with a space '
  let flow = await fill(proven, 'primary_password', { new_password: password })
  flow = await fill(flow, 'secondary_totp')
  if (flow.prompt !== 'create_totp_data') throw new Error(flow.prompt)
  const { secret } = flow.action.data
  flow = await fill(flow, 'verify', { code: totpCode(secret, { now: Date.now }) })
  flow = await fill(flow, 'confirm')
  expect(flow.prompt).toBe('finished')
  expect(formsOf(flow)).toEqual([])

  const named = await fill(await client.begin('login'), 'email', { login_id: email })
  const known = await fill(named, 'primary_password', { password })
  expect(formsOf(known).map(({ name, fields }) => [name, fields.map((one) => one.name)])).toEqual([
    ['secondary_totp', ['code', 'trust']],
    ['recovery_code', ['recovery_code', 'trust']],
  ])
  const code = totpCode(secret, { now: () => Date.now() + 30_000 })
  const done = await fill(known, 'secondary_totp', { code, trust: 'on' })
  expect(done.prompt).toBe('finished')
})

it('leads through a recovery', async () => {
  const email = 'maya@example.com'
  const { auth, outbox, client } = serve({
    links: { reset_password: `${origin}/recovery?code={code}` },
  })
  await createUser(auth, { email, email_verified: true, password: 'tidal-lantern-42' })
  const chosen = await fill(await client.begin('account_recovery'), 'email', { login_id: email })
  const [destination] = formsOf(chosen)
  expect(destination).toMatchObject({ name: 'send', channel: 'email', subject: 'ma**@example.com' })
  const sent = await fill(chosen, 'send')
  expect(formsOf(sent).map(({ name }) => name)).toEqual(['resend'])
  // The answer does not wait for the mail, which would tell who has an account.
  await expect.poll(() => outbox.messages.length).toBe(1)
  const opened = await client.recover({ code: outbox.codeTo(email) })
  const done = await fill(opened, 'set_password', { new_password: 'copper-meadow-7' })
  expect(done.prompt).toBe('finished')
})

it('adds what a widget of the bot protection has put into the form', async () => {
  const { client } = serve({
    bot_protection: {
      enabled: true,
      provider: { type: 'cloudflare', site_key: 'k' },
      requirements: { signup_or_login: { mode: 'always' } },
    },
  })
  const [form] = formsOf(await client.begin('signup'))
  expect(form?.botProtection).toBe('cloudflare')
  const input = await form?.inputOf((name) => (name === 'login_id' ? 'a@example.com' : 'proof'))
  expect(input).toMatchObject({ bot_protection: { type: 'cloudflare', response: 'proof' } })
})
