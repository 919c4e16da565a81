import {
  deleteUser,
  disableUser,
  type FlowResult,
  type Json,
  resolveSessionToken,
  type Storage,
  silentLogger,
  updateAuthConfig,
} from '@gatehouse/core'
import { addIdentity, authCollections, createAnonymousUser, enableUser } from '@gatehouse/core/auth'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runsOf } from '../../../test-support/lane.ts'
import { loadAccount } from '../src/auth/accounts/accounts.ts'
import { identityKey } from '../src/auth/accounts/identities.ts'
import { identityCollection, identityKeyCollection } from '../src/auth/accounts/identity-record.ts'
import { userCollection } from '../src/auth/accounts/user-record.ts'
import { documentWith } from '../src/auth/config/config.fixture.ts'
import type { FlowType } from '../src/auth/config/flow-definition.ts'
import type { FlowInput } from '../src/auth/flow/view.ts'
import { advanceFlow } from '../src/auth/flows/advance-flow.ts'
import { createFlow } from '../src/auth/flows/create-flow.ts'
import { getFlowState } from '../src/auth/flows/get-flow-state.ts'
import type { FakeAccount } from '../src/auth/kinds/oauth/oauth.fixture.ts'
import { cloud, google, oauthHouse } from '../src/auth/kinds/oauth/oauth-house.fixture.ts'
import { rule } from '../src/auth/linking/linking-house.fixture.ts'
import type { ConfigDelta, TestAuth } from '../src/auth/service.fixture.ts'
import { type TestState, testState } from '../src/auth/service.fixture.ts'
import { openBrowser, type TestBrowser } from '../src/auth/sessions/browser.fixture.ts'
import { createPasskeys } from '../src/auth/webauthn/create-passkeys.ts'
import { newDevice } from '../src/auth/webauthn/passkeys.fixture.ts'
import { all, makePerson, totpNow, totpSecret } from './auth-people.ts'

/** The error reasons that a flow may return here, by status. @see Authentication Flow API, errors */
const reasonsOf: Readonly<Record<number, string>> = {
  400:
    'ValidationFailed InvariantViolated PasswordPolicyViolated ChangePasswordFailed PasswordResetFailed ' +
    'Invalid BadRequest OAuthError OAuthProtocolError AuthenticationFlowDifferentUserID AuthenticationFlowNoUserID',
  401: 'InvalidCredentials SelectAccountSessionChanged',
  403: 'InvalidVerificationCode DisabledUser BotProtectionVerificationFailed',
  404:
    'AuthenticationFlowNotFound AuthenticationFlowFlowNotFound AuthenticationFlowStepNotFound UserNotFound ' +
    'OAuthProviderNotFound WebAuthnSessionNotFound',
  429: 'RateLimited AccountLockout',
}

/** Marked secrets that must not appear in any answer, log line or record. */
const marked = { own: 'marked-lantern-17', victims: 'marked-harbour-93', token: 'marked-token:' }
const victim = 'victim@harborlight.example'
/** The victim's address at a provider, which only that provider knows. */
const victimThere = 'victim@google.example'
const own = ['attacker@evil.example', 'other@evil.example'] as const
const ownTotp = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'

type Choose = <T>(list: readonly [T, ...T[]]) => T

const off = { enabled: false }

/** The conditions of an attack. */
interface Setting {
  /** Whether a second factor is required for every sign-in. Then the victim has one. */
  readonly isStrict: boolean
  /** What the attacker knows about the victim. */
  readonly knows: { readonly password: boolean; readonly others: boolean }
}

/** A configuration with every feature enabled, and random choices where they exclude each other. */
function everything(choose: Choose, { isStrict }: Setting): ConfigDelta {
  const always = { mode: choose(['always', 'never']) }
  const identify = (name: string, ...ways: readonly string[]) => {
    return { name, type: 'identify', one_of: ways.map((identification) => ({ identification })) }
  }
  const authenticate = (...ways: readonly string[]) => {
    return { type: 'authenticate', one_of: ways.map((authentication) => ({ authentication })) }
  }
  const second = [{ authentication: 'secondary_totp', steps: [{ type: 'view_recovery_code' }] }]
  const signUp = [
    identify('first', 'email', 'oauth'),
    { type: 'create_authenticator', one_of: [{ authentication: 'primary_password' }] },
    { type: 'create_authenticator', one_of: second },
    identify('second', 'oauth', 'username'),
    identify('third', 'oauth', 'email'),
    { type: 'prompt_create_passkey' },
  ]
  const logIn = [
    identify('first', 'id_token', 'email', 'oauth', 'passkey', 'select_account'),
    authenticate('primary_password', 'primary_passkey'),
    authenticate('secondary_totp', 'recovery_code', 'device_token'),
    { type: 'check_account_status' },
  ]
  const others = ['oauth', 'passkey', 'select_account']
  const first = ['password', 'passkey']
  return {
    authentication: {
      identities: ['login_id', 'oauth', 'passkey', 'anonymous'],
      primary_authenticators: choose([first, ['oob_otp_email', ...first]]),
      secondary_authenticators: choose([['totp'], ['oob_otp_email', 'totp', 'password']]),
      secondary_authentication_mode: isStrict ? 'required' : 'if_exists',
      secondary_applies_to: isStrict ? others : choose([[], others]),
      secondary_authentication_grace_period: { enabled: choose([true, false]) },
      enumeration_protection: choose(['off', 'login', 'strict']),
      rate_limits: {
        general: { per_ip: off, per_user_per_ip: off, per_user: off },
        signup: { per_ip: off },
        account_enumeration: { per_ip: off },
      },
    },
    identity: {
      login_id: { keys: [{ type: 'email' }, { type: 'username' }] },
      oauth: { providers: choose([[google, cloud], [google]]) },
      on_conflict: { promotion: choose(['login', 'error']) },
    },
    account_linking: {
      oauth: [rule('google'), rule('google', 'login_and_link', '/preferred_username')],
      login_id: [{ key: 'email', user_profile: { pointer: '/email' }, action: 'login_and_link' }],
    },
    verification: { claims: { email: { required: choose([true, false]) } } },
    authentication_flow: {
      rate_limits: { per_ip: off },
      signup_flows: [{ name: 'long', steps: signUp }],
      login_flows: [{ name: 'long', steps: logIn }],
    },
    bot_protection: {
      enabled: choose([true, false]),
      provider: { type: 'cloudflare', site_key: 's' },
      requirements: { signup_or_login: always, password: always, account_recovery: always },
    },
  }
}

/** A service with every feature, a victim, accounts of the attacker, and a record of everything written. */
async function attackedService(choose: Choose, setting: Setting) {
  const lines: unknown[] = []
  const faults: unknown[] = []
  const note = (...line: readonly unknown[]): void => void lines.push(line)
  const error = (...line: readonly unknown[]): void => {
    note(...line)
    faults.push(Object(line[0]).err)
  }
  const config = () => documentWith(everything(choose, setting))
  const world = oauthHouse({}, [google, cloud], {
    config: config(),
    passkeys: createPasskeys(),
    logger: { ...silentLogger, info: note, warn: note, error },
    botVerifier: { verify: async ({ response }) => (response === 'human' ? 'passed' : 'failed') },
    idTokenVerifier: async (token) => token.split(marked.token)[1],
  })
  const totp = (secret: string) => ({ mfa: { totp: { secret } } })
  const second = setting.isStrict ? totp(totpSecret) : {}
  const named = { email: victim, email_verified: true, preferred_username: 'victim' }
  const victimId = await makePerson(world, { ...named, ...second }, marked.victims)
  await addAccount(world, victimId, { subject: 'v-1', email: victimThere })
  const ownId = await makePerson(world, { ...totp(ownTotp), email: own[0] }, marked.own)
  await addAccount(world, ownId, { subject: 's-1', email: own[0] })
  await makePerson(world, { email: own[1] }, marked.own)
  return { ...world, victimId, lines, faults, config, knows: setting.knows }
}

const addAccount = ({ auth }: TestAuth, userId: string, { subject, ...claims }: FakeAccount) =>
  addIdentity(auth, userId, { type: 'oauth', alias: 'google', subject, claims })

type Target = Awaited<ReturnType<typeof attackedService>>
type Option = { readonly [name: string]: Json }

/** An attacker who sends random requests, and remembers the answers. */
class Attacker {
  readonly #target: Target
  readonly #choose: Choose
  readonly #device = newDevice()
  readonly #browser: TestBrowser
  readonly #seen: TestState[] = []
  readonly #queries: string[] = []
  readonly #totps: string[] = [ownTotp]
  readonly #recovery: string[] = []
  /** The results of all requests. */
  readonly results: FlowResult[] = []

  constructor(target: Target, choose: Choose) {
    this.#target = target
    this.#choose = choose
    this.#browser = openBrowser(target)
  }

  async act(): Promise<void> {
    const { auth, clock } = this.#target
    const going = ['on', 'on', 'on', 'on', 'on'] as const
    const other = ['through', 'begin', 'old', 'read', 'wait', 'guest', 'forget'] as const
    const what = this.#choose<(typeof going | typeof other)[number]>([...going, ...other])
    if (what === 'forget') return this.#browser.forget()
    if (what === 'wait') return clock.advance(this.#choose([1_000, 61_000, 61_000, 400_000]))
    if (what === 'guest') {
      const made = await createAnonymousUser(auth, this.#browser.request)
      return this.#browser.keep(made.cookies)
    }
    if (what === 'begin') await this.#begin()
    if (what === 'through') return this.#goThrough()
    const state = what === 'on' ? this.#seen.at(-1) : this.#any(this.#seen)
    if (state === undefined) return
    if (what !== 'read') return this.#send(state, this.#spoil(this.#answer(state.action)))
    this.#took(await getFlowState(auth, state, this.#browser.request))
  }

  /** Goes through a flow correctly, as someone who just wants to get in. */
  async #goThrough(): Promise<void> {
    await this.#begin()
    for (let turn = 0; turn < 12; turn++) {
      const state = this.#seen.at(-1)
      if (state !== undefined) await this.#send(state, this.#answer(state.action))
      this.#target.clock.advance(this.#choose([0, 1_000, 30_000]))
    }
  }

  async #begin(): Promise<void> {
    const other = ['signup_login', 'promote', 'reauth', 'account_recovery'] as const
    const type = this.#choose<FlowType>(['signup', 'login', 'signup', 'login', ...other])
    const isEither = type === 'signup' || type === 'login'
    const name = isEither ? this.#choose(['default', 'long']) : 'default'
    this.#took(await createFlow(this.#target.auth, { type, name }, this.#browser.request))
  }

  async #send({ state_token }: TestState, input: FlowInput): Promise<void> {
    const { auth } = this.#target
    this.#took(await advanceFlow(auth, { state_token, input }, this.#browser.request))
  }

  #took(result: FlowResult): void {
    this.results.push(result)
    this.#browser.keep(result.cookies)
    if (result.ok && result.result.action.type !== 'finished')
      this.#seen.push(testState(result.result))
  }

  #any<T>(list: readonly T[]): T | undefined {
    const [first, ...rest] = list
    return first === undefined ? undefined : this.#choose([first, ...rest])
  }

  /** A correct input, as far as the attacker can know it. */
  #answer({ type, data }: TestState['action']): FlowInput {
    const options = (data.options ?? []) as readonly Option[]
    const option = this.#any(options) ?? {}
    const index = options.indexOf(option)
    const response = this.#choose(['human', 'human', 'human', 'robot'])
    const shown = { bot_protection: { type: 'cloudflare', response } }
    const bot = option.bot_protection === undefined ? {} : shown
    switch (data.type) {
      case 'identification_data':
      case 'account_recovery_identification_data':
        return { ...this.#identify(option, index), ...bot }
      case 'oauth_data':
        return this.#comeBack(data)
      case 'account_linking_identification_data':
        return { index, redirect_uri: 'https://app.example.com/cb', ...bot }
      case 'authentication_data':
        return { ...this.#show(option, index, data.device_token_enabled === true), ...bot }
      case 'create_authenticator_data':
        return { ...this.#create(option), ...bot }
      case 'verify_oob_otp_data':
        return this.#choose([true, true, false]) ? { code: this.#code() } : { resend: true }
      case 'create_totp_data':
        this.#totps.push(String(data.secret))
        return { code: totpNow(this.#target, String(data.secret)) }
      case 'view_recovery_code_data':
        this.#recovery.push(...(data.recovery_codes as readonly string[]))
        return { confirm_recovery_code: true }
      case 'create_passkey_data':
        return this.#makePasskey(data.creation_options ?? null)
      case 'new_password_data':
        return { new_password: `${marked.own} again` }
      case 'account_recovery_select_destination_data':
        return { index: 0 }
      case 'account_recovery_verify_code_data':
        return { account_recovery_code: this.#code() }
      default:
        throw new Error(`no answer for ${type} ${String(data.type)}`)
    }
  }

  #identify(
    { identification = '', alias = null, request_options }: Option,
    index: number,
  ): FlowInput {
    const { victimId } = this.#target
    switch (identification) {
      case 'oauth':
        return { identification, alias, redirect_uri: 'https://app.example.com/cb' }
      case 'passkey':
        return { identification, assertion_response: this.#usePasskey(request_options ?? null) }
      case 'select_account':
        return { identification, index, user_id: victimId }
      case 'id_token':
        return { identification, id_token: this.#choose([marked.token + victimId, 'none']) }
      case 'username':
        return { identification, login_id: this.#choose(['victim', 'attacker', 'a b']) }
      default:
        return { identification, login_id: this.#choose([victim, victimThere, ...own, 'none']) }
    }
  }

  /** Returns from a provider with one of the attacker's accounts. Some of these claim to have the victim's address. */
  #comeBack({ oauth_authorization_url: url = '', alias }: TestState['action']['data']): FlowInput {
    const account = this.#choose([
      { subject: 's-1', email: own[0] },
      { subject: 's-2', email: own[1], preferred_username: 'victim' },
      { subject: 's-3', email: victim, email_verified: false, preferred_username: 'victim' },
      { subject: 's-4', email: alias === 'cloud' ? victim : own[0] },
    ])
    const query = this.#target.oauth.signIn(String(url), account)
    this.#queries.push(query)
    return { query: this.#choose([query, query, query, this.#any(this.#queries) ?? query]) }
  }

  #show(
    { authentication = '', request_options }: Option,
    index: number,
    trusts: boolean,
  ): FlowInput {
    const name = String(authentication)
    const wish = trusts ? { request_device_token: this.#choose([true, false]) } : {}
    if (name.endsWith('_password')) return { authentication, password: this.#password(), ...wish }
    if (name === 'secondary_totp') return { authentication, code: this.#totp(), ...wish }
    if (name === 'recovery_code') {
      return { authentication, recovery_code: this.#recovery.at(-1) ?? 'AAAAAAAAAA', ...wish }
    }
    if (name === 'primary_passkey') {
      return { authentication, assertion_response: this.#usePasskey(request_options ?? null) }
    }
    return { authentication, index, ...wish }
  }

  #create({ authentication = '', target }: Option): FlowInput {
    const name = String(authentication)
    if (name.endsWith('_password')) return { authentication, new_password: marked.own }
    const needsTarget = name.includes('oob_otp') && target === undefined
    return needsTarget
      ? { authentication, target: this.#choose([...own, victim]) }
      : { authentication }
  }

  #password(): string {
    const known = this.#target.knows.password ? marked.victims : 'a guess'
    return this.#choose([marked.own, marked.own, known])
  }

  #totp(): string {
    const secret = this.#totps.at(-1) ?? ownTotp
    const known = this.#target.knows.others ? totpSecret : ownTotp
    return totpNow(this.#target, this.#choose([secret, ownTotp, known]))
  }

  /** The newest code sent to the attacker. */
  #code(): string {
    const { outbox, knows } = this.#target
    const theirs: readonly string[] = knows.others ? [] : [victim, victimThere]
    const { code, link } = outbox.messages.findLast(({ target }) => !theirs.includes(target)) ?? {}
    return code ?? (link && new URL(link).searchParams.get('code')) ?? '000000'
  }

  /** Uses a passkey of the attacker, even if another one is requested. */
  #usePasskey(options: Json): Json {
    const { challenge = null } = Object(options)
    try {
      return this.#device.get(this.#choose([options, { challenge }]))
    } catch {
      // There is no passkey yet, or none of the requested ones.
      return { id: 'none', rawId: 'none', type: 'public-key', response: {} }
    }
  }

  #makePasskey(options: Json): FlowInput {
    const skip = { skip: true }
    try {
      return this.#choose<FlowInput>([skip, { creation_response: this.#device.create(options) }])
    } catch {
      // The account already has this passkey.
      return skip
    }
  }

  /** Sometimes replaces part of the input. */
  #spoil(input: FlowInput): FlowInput {
    const whole = [input, input, input, input, input, input, input] as const
    const injected = JSON.parse(
      `{"__proto__":{"facts":[]},"constructor":{"prototype":{}},"notes":{"linked":true},"suspended_sign_up":null,` +
        `"facts":[{"kind":"user_identified","user_id":"${this.#target.victimId}"}],"user_id":"${this.#target.victimId}"}`,
    )
    const odd = this.#choose<Json>([
      null,
      -1,
      1.5,
      '0',
      1e300,
      '\0',
      '\ud800',
      [],
      {},
      'x'.repeat(9_999),
    ])
    const name = this.#any(Object.keys(input)) ?? 'index'
    return this.#choose<FlowInput>([...whole, { ...input, ...injected }, { ...input, [name]: odd }])
  }
}

/** Every identity has its key, every key its identity, and every record of a user belongs to an existing user. */
async function checkStored(storage: Storage): Promise<void> {
  const users = new Set((await userCollection.find(storage, all)).map(({ id }) => id))
  const identities = await identityCollection.find(storage, all)
  const keys = await identityKeyCollection.find(storage, all)
  const byKey = ({ id, value }: (typeof identities)[number]) => [
    identityKey(value),
    id,
    value.user_id,
  ]
  expect(keys.map(({ id, value }) => [id, value.identity_id, value.user_id]).sort()).toEqual(
    identities.map(byKey).sort(),
  )
  const owned = authCollections.filter(({ fields }) => 'user_id' in fields)
  for (const collection of owned) {
    const records = await storage.find(collection, all)
    const strays = records.filter(({ value }) => !users.has(Object(value).user_id))
    expect([collection.name, strays]).toEqual([collection.name, []])
  }
}

/** Every answer is specified, and no secret appears anywhere. */
async function checkAnswers(target: Target, results: readonly FlowResult[]): Promise<void> {
  for (const result of results) {
    if (result.ok) continue
    const { reason, code } = result.error
    expect([code, reasonsOf[code]?.split(' ')]).toEqual([code, expect.arrayContaining([reason])])
  }
  expect(target.faults).toEqual([])
  const records = await Promise.all(authCollections.map((one) => target.storage.find(one, all)))
  expect(JSON.stringify([results, target.lines, records])).not.toContain('marked-')
}

const chooserOf = (numbers: Iterator<number>): Choose => {
  return (list) => list[(numbers.next().value ?? 0) % list.length] ?? list[0]
}

/** How many services each test attacks. */
const attacks = runsOf(50)

describe('an attacker who sends random requests', () => {
  const numbers = fc.infiniteStream(fc.nat({ max: 999_983 }))
  const secondFactor = /^x_(secondary_|recovery_code|device_token)/

  /** Attacks several services. Returns the total number of sessions gained. */
  async function intrude(setting: Setting): Promise<number> {
    let sessions = 0
    const run = async (stream: Iterator<number>): Promise<void> => {
      const choose = chooserOf(stream)
      const target = await attackedService(choose, setting)
      const { auth, storage, victimId } = target
      const before = await loadAccount(storage, victimId)
      const attacker = new Attacker(target, choose)
      for (let turn = 0; turn < 40; turn++) {
        const { length } = attacker.results
        await attacker.act()
        for (const { cookies } of attacker.results.slice(length)) {
          const cookie = cookies.find(({ name }) => name === 'session')
          const session = cookie && (await resolveSessionToken(auth, cookie.value))
          if (session === undefined) continue
          sessions++
          expect(session.user_id).not.toBe(victimId)
          const factors = session.amr.filter((reference) => secondFactor.test(reference))
          if (setting.isStrict) expect(factors).not.toEqual([])
        }
      }
      expect(await loadAccount(storage, victimId)).toEqual(before)
      await checkStored(storage)
      await checkAnswers(target, attacker.results)
    }
    await fc.assert(fc.asyncProperty(numbers, run), { numRuns: attacks })
    return sessions
  }

  it('cannot become another user with one factor, and changes nothing of others', {
    timeout: 120_000,
  }, async () => {
    const knows = { password: false, others: false }
    // About one for each service that is attacked.
    expect(await intrude({ isStrict: false, knows })).toBeGreaterThan(attacks / 5)
  })

  it('cannot pass a required second factor, even with a known password', {
    timeout: 120_000,
  }, async () => {
    const knows = { password: true, others: false }
    expect(await intrude({ isStrict: true, knows })).toBeGreaterThan(attacks / 5)
  })

  it('gets only specified answers, whatever else happens, and leaves no partial records', {
    timeout: 120_000,
  }, async () => {
    const setting = { isStrict: false, knows: { password: true, others: true } }
    let sessions = 0
    const run = async (stream: Iterator<number>): Promise<void> => {
      const choose = chooserOf(stream)
      const target = await attackedService(choose, setting)
      const { auth, storage, victimId } = target
      const attacker = new Attacker(target, choose)
      // The user may already be deleted.
      const to = (change: typeof deleteUser) => async () => {
        if ((await loadAccount(storage, victimId)) !== undefined) await change(auth, victimId)
      }
      const reload = async () => updateAuthConfig(auth, target.config())
      const happenings = [reload, to(disableUser), to(enableUser), to(deleteUser)] as const
      const nothing = async () => undefined
      for (let turn = 0; turn < 40; turn++) {
        await choose([...happenings, ...Array.from({ length: 16 }, () => nothing)])()
        await attacker.act()
      }
      sessions += attacker.results.filter(({ cookies }) => cookies.length > 0).length
      await checkStored(storage)
      await checkAnswers(target, attacker.results)
    }
    await fc.assert(fc.asyncProperty(numbers, run), { numRuns: attacks })
    expect(sessions).toBeGreaterThan(attacks / 5)
  })
})
