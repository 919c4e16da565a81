import type { Storage } from '@gatehouse/core'
import {
  type AuthConfig,
  type AuthContext,
  type AuthOptions,
  addAuthenticator,
  addIdentity,
  createAuth,
  createUser,
  type OutgoingMessage,
  type PasswordHasher,
} from '@gatehouse/core/auth'
import {
  createFakeOAuthClient,
  type FakeOAuthClient,
} from '../../packages/core/src/auth/kinds/oauth/oauth.fixture.ts'
import type { Passkeys } from '../../packages/core/src/auth/webauthn/passkeys.ts'
import { createCluster, withEventLoop } from '../cluster.ts'
import { epoch } from '../machine.ts'
import type { World } from '../run.ts'
import { type Clients, credentialOf, emailOf, firstPassword } from './clients.ts'
import { actAs, type Person } from './people.ts'
import { type DocumentName, members, planStrangers, type StrangersEvent, untilMs } from './plan.ts'
import { checkStrangers } from './properties.ts'
import { createStranger } from './stranger.ts'

/** Every person has finished by then, or has given up. */
const settleMs = 30 * 60_000

function documentOf(name: DocumentName): AuthConfig {
  const isLink = name === 'links'
  return {
    id: 'test',
    http: { public_origin: 'https://auth.example.com' },
    identity: {
      oauth: {
        providers: [{ alias: 'google', type: 'google', client_id: 'g' }],
        allowed_redirect_uris: ['https://app.example.com/cb'],
      },
    },
    authentication: {
      identities: ['login_id', 'oauth', 'passkey'],
      primary_authenticators: [name === 'passwords' ? 'password' : 'oob_otp_email', 'passkey'],
      secondary_authentication_mode: 'disabled',
    },
    authenticator: { oob_otp: { email: { email_otp_mode: isLink ? 'login_link' : 'code' } } },
    verification: { claims: { email: { otp_form: isLink ? 'link' : 'code' } } },
    ui: { forgot_password: { email: [{ channel: 'email', otp_form: isLink ? 'link' : 'code' }] } },
  }
}

/** Shows a password, so that the checks can read it. */
const hasher: PasswordHasher = {
  hash: async (password) => `plain:${password}`,
  verify: async (password, hash) => hash === `plain:${password}`,
  needsRehash: () => false,
}

/** Every response is one of the authenticator that it names. The service alone binds challenges. */
const passkeys: Passkeys = {
  creationOptions: (_party, { challenge }) => ({ challenge }),
  requestOptions: (_party, { challenge }) => ({ challenge }),
  verifyCreation: async () => undefined,
  verifyAssertion: async (_party, { response, passkey }) =>
    response.id === passkey.credential_id ? { sign_count: 0, is_user_verified: true } : undefined,
}

/** People who sign in, sign up and recover accounts, each with a stranger beside them. `weaken` breaks the provider on purpose. */
export const strangersWorldWith = (
  weaken: (oauth: FakeOAuthClient) => FakeOAuthClient,
): World<StrangersEvent> => ({
  name: 'strangers',
  plan: planStrangers,
  run: (plan) =>
    withEventLoop(plan.seed, async (loop) => {
      const document = plan.events.find((event) => event.kind === 'document')
      const config = documentOf(document?.name ?? 'codes')
      const oauth = weaken(createFakeOAuthClient())
      const mailboxes = new Map<string, OutgoingMessage[]>()
      const sendEmail = async (message: OutgoingMessage): Promise<void> => {
        mailboxes.set(message.target, [...(mailboxes.get(message.target) ?? []), message])
      }
      const serviceOf = (storage: Storage, more: Partial<AuthOptions>): AuthContext =>
        createAuth({
          storage,
          config,
          hasher,
          passkeys,
          oauth,
          secrets: [{ id: 'k1', key: 'test key of at least thirty-two bytes' }],
          ...more,
        })
      const cluster = createCluster<AuthContext>(plan, {
        loop,
        boot(life, storage) {
          const random = (size: number): Uint8Array =>
            Uint8Array.from({ length: size }, () => Math.floor(life.random() * 256))
          const send = (message: OutgoingMessage): Promise<void> =>
            life.call('send', () => sendEmail(message), { there: 5, back: 0 })
          const { clock, ids } = life
          return serviceOf(storage, { clock, ids, random, senders: { sendEmail: send } })
        },
      })
      const { timeline, storage } = cluster
      const clients: Clients = { cluster, oauth, mailboxes, seen: new Map(), cookies: [] }
      const clock = { now: () => epoch, monotonic: () => 0, setTimer: () => () => {} }
      const ids = await createMembers(serviceOf(storage.raw, { clock, senders: { sendEmail } }))
      const people: Person[] = []
      const stranger = createStranger(clients)
      for (const event of plan.events) {
        if (event.kind === 'person') {
          const act = (): unknown =>
            people.push(actAs(clients, event.person, event.act, ids[event.person]))
          timeline.schedule(event.at, 'acts', act)
        }
        if (event.kind === 'stranger')
          timeline.schedule(event.at, 'acts', () => stranger.act(event))
      }
      await cluster.runUntilHealed(untilMs)
      await timeline.runUntil(untilMs + settleMs)
      const failures = await checkStrangers({ people, clients, storage: storage.raw, ids })
      return { failures, hash: timeline.hash, steps: timeline.steps, story: cluster.story }
    }),
})

/** The world as it should be. */
export const strangersWorld: World<StrangersEvent> = strangersWorldWith((oauth) => oauth)

/** Gives each member an address, a password, a provider account and a passkey. Returns their ids. */
async function createMembers(auth: AuthContext): Promise<readonly string[]> {
  const ids: string[] = []
  for (let person = 0; person < members; person++) {
    const email = emailOf(person)
    const id = await createUser(auth, { email, password: firstPassword })
    const claims = { email, email_verified: true }
    await addIdentity(auth, id, { type: 'oauth', alias: 'google', subject: email, claims })
    const about = {
      public_key: 'AA',
      sign_count: 0,
      transports: [],
      aaguid: '',
      is_backed_up: false,
    }
    await addAuthenticator(auth, id, {
      type: 'passkey',
      passkey: { ...about, credential_id: credentialOf(person) },
    })
    ids.push(id)
  }
  return ids
}
