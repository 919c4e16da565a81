import { describeProofs, type Proof } from './bindings.fixture.ts'
import type { FlowInput } from './flow/view.ts'
import { advanceFlow } from './flows/advance-flow.ts'
import { approveLink } from './flows/approve-link.ts'
import { totpCode } from './kinds/totp/totp.ts'
import { askForCode, byCode, email, mayasHouse } from './maya.fixture.ts'
import { sessionOf, signedIn, tom } from './own-account/account.fixture.ts'
import { beginAccountFlow } from './own-account/begin-account-flow.ts'
import { createUser } from './people/create-user.ts'
import { importUsers } from './people/import-users.ts'
import { decodeBase32 } from './secrets/base32.ts'
import {
  type ConfigDelta,
  startFlow,
  stateOf,
  type TestAuth,
  type TestFlow,
  testAuth,
} from './service.fixture.ts'

const password = 'tidal-lantern-42'
const lena = 'lena@harborlight.example'
const secret = 'K5QW4ZLOM5SWK3TFOJQXIZLEEBRHSIDN'
const otherSecret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'

/** Maya and Lena, who may sign in and recover by code. */
async function houseOfCodes(delta: ConfigDelta = byCode): Promise<TestAuth> {
  const world = await mayasHouse(delta, { email_verified: true })
  await createUser(world.auth, { email: lena, email_verified: true, password: 'quiet-harbour-17' })
  return world
}

const typed = (flow: TestFlow, input: FlowInput, from?: string) => () => flow.input(input, from)

const codeOfLogin: Proof = {
  name: 'a code for a login',
  outcomes: {
    'a login of another account': 'InvalidCredentials',
    'a recovery of the account': 'PasswordResetFailed',
    'a change of another account': 'InvalidVerificationCode',
    'a link': 'InvalidOTPCode',
    'its own flow': 'finished',
    'its own flow again': 'AuthenticationFlowNotFound',
    'another login': 'InvalidCredentials',
  },
  async show() {
    const world = await houseOfCodes()
    const person = await signedIn(world, tom)
    const change = await person.begin({ add_identity: 'email' })
    const fresh = { identification: 'email', login_id: 'new@harborlight.example' }
    stateOf(await change.input(fresh))
    const recovery = await askForCode(world, 'account_recovery')
    const other = await askForCode(world, 'login', {}, lena)
    const second = await askForCode(world, 'login')
    world.clock.advance(61_000)
    const own = await askForCode(world, 'login')
    const code = world.codeTo(email)
    const state = own.token
    return {
      'a login of another account': typed(other, { code }),
      'a recovery of the account': typed(recovery, { account_recovery_code: code }),
      'a change of another account': typed(change, { code }),
      'a link': () => approveLink(world.auth, code),
      'its own flow': typed(own, { code }),
      'its own flow again': typed(own, { code }, state),
      'another login': typed(second, { code }),
    }
  },
}

const codeOfRecovery: Proof = {
  name: 'a code for a recovery',
  outcomes: {
    'a login of the account': 'InvalidCredentials',
    'a recovery of another account': 'PasswordResetFailed',
    'no flow': 'PasswordResetFailed',
    'its own flow': 'reset_password',
    'the end of its own flow': 'finished',
    'another recovery, afterwards': 'PasswordResetFailed',
  },
  async show() {
    const world = await houseOfCodes()
    const login = await askForCode(world, 'login')
    const other = await askForCode(world, 'account_recovery', {}, lena)
    const second = await askForCode(world, 'account_recovery')
    world.clock.advance(61_000)
    const own = await askForCode(world, 'account_recovery')
    const code = world.codeTo(email)
    const input = { account_recovery_code: code }
    return {
      'a login of the account': typed(login, { code }),
      'a recovery of another account': typed(other, input),
      'no flow': () => advanceFlow(world.auth, { input }),
      'its own flow': typed(own, input),
      'the end of its own flow': () => own.input({ new_password: 'copper-meadow-7' }),
      'another recovery, afterwards': typed(second, input),
    }
  },
}

const linkOfRecovery: Proof = {
  name: 'the link of a recovery',
  outcomes: {
    'a login of the account': 'InvalidCredentials',
    'a recovery of another account': 'PasswordResetFailed',
    'the page that approves links': 'InvalidOTPCode',
    'a new flow, in any browser': 'reset_password',
    'the end of that flow': 'finished',
    'another flow, afterwards': 'PasswordResetFailed',
  },
  async show() {
    const { ui: _code, ...delta } = byCode
    const world = await houseOfCodes(delta)
    const login = await askForCode(world, 'login')
    const other = await askForCode(world, 'account_recovery', {}, lena)
    await askForCode(world, 'account_recovery')
    const code = world.codeTo(email)
    const input = { account_recovery_code: code }
    let token = ''
    return {
      'a login of the account': typed(login, { code }),
      'a recovery of another account': typed(other, input),
      'the page that approves links': () => approveLink(world.auth, code),
      'a new flow, in any browser': async () => {
        const begun = await advanceFlow(world.auth, { input })
        token = stateOf(begun).state_token
        return begun
      },
      'the end of that flow': () =>
        advanceFlow(world.auth, { state_token: token, input: { new_password: 'copper-meadow-7' } }),
      'another flow, afterwards': () => advanceFlow(world.auth, { input }),
    }
  },
}

const linkOfLogin: Proof = {
  name: 'the approval of a link for a login',
  outcomes: {
    'a recovery, as its code': 'PasswordResetFailed',
    'its own flow, as its code': 'ValidationFailed',
    'its page': 'accepted',
    'another login of the account': 'InvalidCredentials',
    'a login of another account': 'InvalidCredentials',
    'its own flow': 'finished',
    'its page again': 'InvalidOTPCode',
    'another login, afterwards': 'InvalidCredentials',
  },
  async show() {
    const mode = { oob_otp: { email: { email_otp_mode: 'login_link' } } }
    const world = await houseOfCodes({ ...byCode, authenticator: mode })
    const own = await askForCode(world, 'login')
    const code = world.codeTo(email)
    const second = await askForCode(world, 'login')
    const other = await askForCode(world, 'login', {}, lena)
    return {
      'a recovery, as its code': () =>
        advanceFlow(world.auth, { input: { account_recovery_code: code } }),
      'its own flow, as its code': typed(own, { code }),
      'its page': () => approveLink(world.auth, code),
      'another login of the account': typed(second, { check: true }),
      'a login of another account': typed(other, { check: true }),
      'its own flow': typed(own, { check: true }),
      'its page again': () => approveLink(world.auth, code),
      'another login, afterwards': typed(second, { check: true }),
    }
  },
}

/** Maya and Lena with a second factor each, and logins that wait for it. */
async function houseOfFactors(): Promise<{
  readonly world: TestAuth
  login(login_id: string): Promise<TestFlow>
}> {
  const world = testAuth({ authentication: { secondary_authentication_mode: 'required' } })
  const hash = await world.auth.hasher.hash(password)
  const shared = {
    email_verified: true,
    password: { type: 'scrypt', password_hash: hash },
  } as const
  const mayas = { totp: { secret }, recovery_codes: ['AAAAABBBBB'] }
  const lenas = { totp: { secret: otherSecret }, recovery_codes: ['CCCCCDDDDD'] }
  await importUsers(world.auth, [
    { email, ...shared, mfa: mayas },
    { email: lena, ...shared, mfa: lenas },
  ])
  return {
    world,
    async login(login_id) {
      const flow = await startFlow(world, 'login')
      stateOf(await flow.input({ identification: 'email', login_id }))
      stateOf(await flow.input({ authentication: 'primary_password', password }))
      return flow
    },
  }
}

const secondFactor = (name: string, input: (world: TestAuth) => FlowInput): Proof => ({
  name,
  outcomes: {
    'a login of another account': 'InvalidCredentials',
    'a recovery': 'PasswordResetFailed',
    'its own flow': 'finished',
    'its own flow again': 'AuthenticationFlowNotFound',
    'another login of the account': 'InvalidCredentials',
  },
  async show() {
    const { world, login } = await houseOfFactors()
    const [own, second, other] = [await login(email), await login(email), await login(lena)]
    const recovery = await askForCode(world, 'account_recovery')
    const given = input(world)
    const state = own.token
    return {
      'a login of another account': typed(other, given),
      'a recovery': typed(recovery, {
        account_recovery_code: String(given.code ?? given.recovery_code),
      }),
      'its own flow': typed(own, given),
      'its own flow again': typed(own, given, state),
      'another login of the account': typed(second, given),
    }
  },
})

const accountProof: Proof = {
  name: 'a proof in a change of an account',
  outcomes: {
    'the session of somebody else': 'SelectAccountSessionChanged',
    'no session': 'SelectAccountSessionChanged',
    'another session of the user': 'SelectAccountSessionChanged',
    'another change in that session': 'ReauthenticationRequired',
    'its own session': 'finished',
    'its own session again': 'AuthenticationFlowNotFound',
  },
  async show() {
    const world = testAuth()
    const stranger = await signedIn(world, tom)
    const maya = await signedIn(world)
    world.clock.advance(600_001)
    const flow = await maya.begin({ change_password: 'primary' })
    stateOf(await flow.input({ authentication: 'primary_password', password }))
    const state_token = flow.token
    const input = { new_password: 'copper-meadow-7' }
    const by = (cookie: string) => () =>
      advanceFlow(world.auth, { state_token, input }, { ...maya.request, cookie })
    const other = await sessionOf(world, maya.id)
    return {
      'the session of somebody else': by(stranger.request.cookie),
      'no session': by(''),
      'another session of the user': by(other.request.cookie),
      'another change in that session': () =>
        beginAccountFlow(world.auth, maya.session, { add_identity: 'email' }, maya.request),
      'its own session': by(maya.request.cookie),
      'its own session again': by(maya.request.cookie),
    }
  },
}

describeProofs([
  codeOfLogin,
  codeOfRecovery,
  linkOfRecovery,
  linkOfLogin,
  secondFactor('a TOTP code', ({ clock }) => {
    const key = decodeBase32(secret) ?? new Uint8Array()
    const code = totpCode(key, Math.floor(clock.now() / 30_000))
    return { authentication: 'secondary_totp', code }
  }),
  secondFactor('a recovery code', () => ({
    authentication: 'recovery_code',
    recovery_code: 'AAAAABBBBB',
  })),
  accountProof,
])
