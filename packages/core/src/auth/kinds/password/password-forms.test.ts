import { describe, expect, it } from 'vitest'
import { authenticatorCollection } from '../../accounts/authenticator-record.ts'
import { createFlow } from '../../flows/create-flow.ts'
import { addAuthenticator } from '../../people/add-authenticator.ts'
import { createUser } from '../../people/create-user.ts'
import { importUsers } from '../../people/import-users.ts'
import { setPassword } from '../../people/set-password.ts'
import { normalPassword, passwordForms } from '../../secrets/typed-password.ts'
import { errorOf, startFlow, stateOf, type TestAuth, testAuth } from '../../service.fixture.ts'
import { createScryptHasher } from './scrypt-hasher.ts'

const email = 'maya@harborlight.example'
const composed = 'ma\u00f1ana-lantern-42'
const decomposed = 'man\u0303ana-lantern-42'
const pairs = [
  ['a letter with a mark', composed, decomposed],
  ['Hangul', '\ud55c\uad6d\uc5b4-lantern', '\ud55c\uad6d\uc5b4-lantern'.normalize('NFD')],
  ['marks in another order', 'a\u0323\u0301-lantern-42', 'a\u0301\u0323-lantern-42'],
] as const

const loginWith = ({ auth }: TestAuth, text: string, second?: string) =>
  createFlow(auth, {
    type: 'login',
    name: 'default',
    batch_input: [
      { identification: 'email', login_id: email },
      { authentication: 'primary_password', password: text },
      ...(second === undefined ? [] : [{ authentication: 'secondary_password', password: second }]),
    ],
  })

async function expectBoth(world: TestAuth, texts: readonly string[] = [composed, decomposed]) {
  for (const text of texts) {
    expect(stateOf(await loginWith(world, text)).action.type).toBe('finished')
  }
}

const unproven = { verification: { claims: { email: { enabled: false } } } }
const hash = (text: string) => createScryptHasher({ N: 16, r: 1, p: 1 }).hash(text)

async function importMaya(world: TestAuth, text: string): Promise<string> {
  const password = { type: 'scrypt', password_hash: await hash(text) } as const
  const [made] = await importUsers(world.auth, [{ email, password }])
  if (made?.outcome !== 'inserted') throw new Error('Maya could not be made')
  return made.user_id
}

describe('a password in another Unicode form', () => {
  it.each(pairs)('is the same one after a sign-up: %s', async (_what, one, other) => {
    for (const [first, second] of [[one, other] as const, [other, one] as const]) {
      const world = testAuth(unproven)
      const flow = await startFlow(world, 'signup')
      await flow.input({ identification: 'email', login_id: email })
      const done = await flow.input({ authentication: 'primary_password', new_password: first })
      expect(stateOf(done).action.type).toBe('finished')
      await expectBoth(world, [first, second])
    }
  })

  it('is the same one after a recovery', async () => {
    const world = testAuth()
    await createUser(world.auth, { email, email_verified: true, password: 'oldpassword' })
    const flow = await startFlow(world, 'account_recovery')
    await flow.input({ identification: 'email', login_id: email })
    await flow.input({ index: 0 })
    await Promise.all(world.auth.sending)
    await flow.input({ account_recovery_code: world.codeTo(email) })
    stateOf(await flow.input({ new_password: decomposed }))
    await expectBoth(world)
  })

  it('is the same one after a forced change, which refuses it as reused', async () => {
    const world = testAuth()
    const id = await createUser(world.auth, { email, password: 'oldpassword' })
    await setPassword(world.auth, id, composed, { expireAfter: world.clock.now() })
    const flow = await startFlow(world, 'login')
    await flow.input({ identification: 'email', login_id: email })
    await flow.input({ authentication: 'primary_password', password: decomposed })
    expect(errorOf(await flow.input({ new_password: decomposed }))).toMatchObject({
      info: { cause: { kind: 'PasswordReused' } },
    })
    stateOf(await flow.input({ new_password: `${decomposed}!` }))
    await expectBoth(world, [`${composed}!`, `${decomposed}!`])
  })

  it('is the same one if the host sets it', async () => {
    const world = testAuth()
    const id = await createUser(world.auth, { email, password: decomposed })
    await expectBoth(world)
    await setPassword(world.auth, id, `${decomposed}!`)
    await expectBoth(world, [`${composed}!`, `${decomposed}!`])
  })

  it('is the same one as a second factor', async () => {
    const world = testAuth({
      authentication: {
        secondary_authenticators: ['password'],
        secondary_authentication_mode: 'required',
      },
    })
    const id = await createUser(world.auth, { email, password: 'oldpassword' })
    const second = { type: 'password', kind: 'secondary', password: decomposed } as const
    await addAuthenticator(world.auth, id, second)
    for (const text of [composed, decomposed]) {
      expect(stateOf(await loginWith(world, 'oldpassword', text)).action.type).toBe('finished')
    }
  })

  it('is the same one in the history', async () => {
    const policy = { history_size: 3 }
    const world = testAuth({ authenticator: { password: { policy } } })
    const id = await createUser(world.auth, { email, email_verified: true, password: composed })
    await setPassword(world.auth, id, 'another-lantern-42')
    const flow = await startFlow(world, 'account_recovery')
    await flow.input({ identification: 'email', login_id: email })
    await flow.input({ index: 0 })
    await Promise.all(world.auth.sending)
    await flow.input({ account_recovery_code: world.codeTo(email) })
    expect(errorOf(await flow.input({ new_password: decomposed })).info).toMatchObject({
      causes: [{ Name: 'PasswordReused' }],
    })
  })

  it('is measured, rated and searched for words in the normal form', async () => {
    const rated: string[] = []
    const policy = {
      min_length: 5,
      excluded_keywords: ['man\u0303ana'],
      minimum_guessable_level: 2,
    }
    const passwordStrength = (text: string) => {
      rated.push(text)
      return 4
    }
    const world = testAuth({ authenticator: { password: { policy } } }, { passwordStrength })
    const made = createUser(world.auth, { email, password: 'n\u0303n\u0303n\u0303n\u0303' })
    await expect(made).rejects.toMatchObject({
      info: { causes: [{ Name: 'PasswordTooShort', Info: { pw_length: 4 } }] },
    })
    for (const password of [composed, decomposed]) {
      await expect(createUser(world.auth, { email, password })).rejects.toMatchObject({
        info: { causes: [{ Name: 'PasswordContainingExcludedKeywords' }] },
      })
    }
    expect(rated).toEqual(rated.map((text) => text.normalize('NFC')))
  })
})

describe('a hash of a password that was not normalized', () => {
  const stored = async ({ storage }: TestAuth) =>
    (await storage.find(authenticatorCollection, { by: 'id', limit: 10 })).map(
      ({ value }) => (value as { hash?: string }).hash,
    )

  it('is still of the text as it is typed, and then of the normal form', async () => {
    const world = testAuth()
    await importMaya(world, decomposed)
    const [before] = await stored(world)
    expect(errorOf(await loginWith(world, composed)).reason).toBe('InvalidCredentials')
    await expectBoth(world, [decomposed, composed, decomposed])
    const [after] = await stored(world)
    expect(after).not.toBe(before)
    expect(await world.auth.hasher.formOf(composed, String(after))).toBe('normal')
  })

  it('stays as it is if it is of the normal form', async () => {
    const world = testAuth()
    await importMaya(world, composed)
    const before = await stored(world)
    await expectBoth(world)
    expect(await stored(world)).toEqual(before)
  })
})

describe('passwordForms()', () => {
  it('keeps spaces and compatible characters apart', () => {
    for (const text of [' a ', 'a\u00a0b', '\uff41', '\ufb01', 'I\u0307'.toLowerCase(), '']) {
      expect(passwordForms(text).at(-1)).toBe(text)
      expect(passwordForms(text)).toEqual([...new Set([text.normalize('NFC'), text])])
    }
    expect(normalPassword('\uff41 ')).toBe('\uff41 ')
  })

  it('takes no time for texts that are too long to be a password', () => {
    const endless = `a${'\u0301\u0316'.repeat(1_000_000)}`
    const startedAt = performance.now()
    expect(passwordForms(endless)).toEqual([endless])
    expect(performance.now() - startedAt).toBeLessThan(200)
  })
})
