import { describe, expect, it } from 'vitest'
import type { AuthorizationBridge } from '../../flow/session/authorization-bridge.ts'
import { createUser } from '../../people/create-user.ts'
import { type ConfigDelta, errorOf, stateOf, testAuth } from '../../service.fixture.ts'
import { openBrowser } from '../../sessions/browser.fixture.ts'
import { parseLoginHint } from './login-hint.ts'

const email = 'maya@harborlight.example'
const other = 'lena@harborlight.example'
const hintFor = (query: string): string => `https://authgear.com/login_hint?type=login_id&${query}`
const mayaOnly = hintFor('email=maya%40harborlight.example&enforce=true')

describe('a login hint', () => {
  it('names a login ID', () => {
    expect(parseLoginHint(mayaOnly)).toEqual({ type: 'email', text: email, isDemanded: true })
    expect(parseLoginHint(hintFor('phone=%2B6591234567'))).toEqual({
      type: 'phone',
      text: '+6591234567',
      isDemanded: false,
    })
    expect(parseLoginHint(hintFor('username=maya&enforce=1'))).toMatchObject({ isDemanded: false })
  })

  it('of another form names none', () => {
    const others = [
      '',
      email,
      '?type=login_id&email=a',
      'https://authgear.com/login_hint',
      'https://authgear.com/login_hint?type=anonymous&email=a@b.example',
      'https://authgear.com/other?type=login_id&email=a',
      hintFor('email='),
      `javascript:${mayaOnly}`,
    ]
    expect(others.map(parseLoginHint)).toEqual(others.map(() => undefined))
  })
})

/** Maya and Lena. */
async function house(delta: ConfigDelta = {}, authorizationBridge?: AuthorizationBridge) {
  const world = testAuth(delta, authorizationBridge === undefined ? {} : { authorizationBridge })
  await createUser(world.auth, { email, preferred_username: 'maya' })
  await createUser(world.auth, { email: other })
  const begin = async (hint: string, type: 'login' | 'account_recovery' = 'login') => {
    const browser = openBrowser(world)
    await browser.begin(type, { url_query: `login_hint=${encodeURIComponent(hint)}` })
    return browser
  }
  return { ...world, begin }
}

const named = (login_id: string) => ({ identification: 'email', login_id })

describe('a login hint that demands a login ID', () => {
  it('accepts only its owner, by any of their login IDs', async () => {
    const keys = [{ type: 'email' }, { type: 'username' }]
    const { begin } = await house({ identity: { login_id: { keys } } })
    const browser = await begin(mayaOnly)
    expect(errorOf(await browser.input(named(other)))).toMatchObject({
      reason: 'AuthenticationFlowDifferentUserID',
      code: 400,
      info: { FlowType: 'login' },
    })
    expect(errorOf(await browser.input(named('nobody@harborlight.example'))).reason).toBe(
      'UserNotFound',
    )
    const byName = { identification: 'username', login_id: 'maya' }
    expect(stateOf(await browser.input(byName)).action.type).toBe('authenticate')
  })

  it('accepts nobody if the login ID is unknown or malformed', async () => {
    const { begin } = await house()
    for (const query of ['email=nobody%40harborlight.example', 'email=no-address']) {
      const browser = await begin(hintFor(`${query}&enforce=true`))
      expect(errorOf(await browser.input(named(email))).reason).toBe(
        'AuthenticationFlowDifferentUserID',
      )
    }
  })

  it('accepts everybody if it does not enforce', async () => {
    const { begin } = await house()
    for (const hint of [hintFor('email=maya%40harborlight.example'), email]) {
      const browser = await begin(hint)
      expect(stateOf(await browser.input(named(other))).action.type).toBe('authenticate')
    }
  })

  it('is read from the authorization session, whatever the query says', async () => {
    const authorizationBridge: AuthorizationBridge = {
      resolve: async (id) => ({ id, redirect_uri: 'https://a.example/cb', login_hint: mayaOnly }),
      finish: async ({ redirect_uri }) => redirect_uri,
    }
    const world = await house({}, authorizationBridge)
    const browser = openBrowser(world)
    await browser.begin('login', { url_query: `x_ref=r&login_hint=${other}` })
    expect(errorOf(await browser.input(named(other))).reason).toBe(
      'AuthenticationFlowDifferentUserID',
    )
    stateOf(await browser.input(named(email)))
  })

  it('does not reveal who exists if enumeration protection is on', async () => {
    const login = await house({ authentication: { enumeration_protection: 'login' } })
    const recovery = await house()
    for (const [{ begin }, type] of [
      [login, 'login'],
      [recovery, 'account_recovery'],
    ] as const) {
      const browser = await begin(mayaOnly, type)
      const results = [
        await browser.input(named(other)),
        await browser.input(named('nobody@harborlight.example')),
      ]
      expect(results.map((result) => errorOf(result).reason)).toEqual([
        'AuthenticationFlowDifferentUserID',
        'AuthenticationFlowDifferentUserID',
      ])
      stateOf(await (await begin(mayaOnly, type)).input(named(email)))
      const ofNobody = await begin(hintFor('email=ghost%40harborlight.example&enforce=true'), type)
      stateOf(await ofNobody.input(named('Ghost@harborlight.example')))
    }
  })
})

describe('the user of an authorization request', () => {
  it('looks like a user who does not exist if enumeration protection is on', async () => {
    const authorizationBridge: AuthorizationBridge = {
      resolve: async (id) => ({ id, redirect_uri: 'https://a.example/cb', user_id_hint: 'u1' }),
      finish: async ({ redirect_uri }) => redirect_uri,
    }
    const world = await house({}, authorizationBridge)
    const browser = openBrowser(world)
    await browser.begin('account_recovery', { url_query: 'x_ref=r' })
    for (const address of [email, 'nobody@harborlight.example']) {
      expect(errorOf(await browser.input(named(address)))).toMatchObject({
        reason: 'InvariantViolated',
        info: { FlowType: 'account_recovery', cause: { kind: 'MismatchedUser' } },
      })
    }
  })
})
