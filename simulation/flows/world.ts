import {
  type AuthConfig,
  type AuthContext,
  type AuthEvent,
  createAuth,
  importUsers,
  type PasswordHasher,
  startAuth,
} from '@gatehouse/core/auth'
import { createCluster, withEventLoop } from '../cluster.ts'
import { epoch } from '../machine.ts'
import type { World } from '../run.ts'
import { createPeople, emailOf, firstPassword } from './people.ts'
import { type FlowsEvent, flowsPerMinute, members, planFlows, troubleMs } from './plan.ts'
import { checkFlows } from './properties.ts'

/** Longer than a dead process keeps its lease on an event. */
const settleMs = 90_000

/**
 * For limits that would refuse a login at the end of a run, which would then look like a lost password. A token taken while a
 * clock is an hour ahead comes back an hour late.
 */
const off = { enabled: false }
const config: AuthConfig = {
  id: 'test',
  http: { public_origin: 'https://auth.example.com' },
  identity: { login_id: { keys: [{ type: 'email' }, { type: 'phone' }] } },
  authentication: {
    identities: ['login_id'],
    rate_limits: {
      general: { per_ip: off, per_user_per_ip: off, per_user: off },
      signup: { per_ip: off },
      account_enumeration: { per_ip: off },
    },
  },
  authentication_flow: {
    rate_limits: { per_ip: { enabled: true, period: '1m', burst: flowsPerMinute } },
  },
  verification: {
    claims: { email: { required: false } },
    rate_limits: {
      email: { validate_per_ip: off, validate_per_user: off },
      sms: { validate_per_ip: off, validate_per_user: off, trigger_per_ip: off },
    },
  },
  forgot_password: {
    rate_limits: { email: { validate_per_ip: off, validate_per_user: off, trigger_per_ip: off } },
  },
  messaging: { rate_limits: { email_per_ip: off, sms_per_ip: off } },
}

/** In the form of a hash, because an import checks it. */
const hashOf = (password: string): string => {
  const text = Buffer.from(password.padEnd(32)).toString('base64').replaceAll('=', '')
  return `$scrypt$ln=14,r=8,p=1$${'A'.repeat(22)}$${text}`
}

/** Several processes in which people sign up, log in and recover their accounts. */
export const flowsWorld: World<FlowsEvent> = {
  name: 'flows',
  plan: planFlows,
  run: (plan) =>
    withEventLoop(plan.seed, async (loop) => {
      const events: AuthEvent[] = []
      const cluster = createCluster<AuthContext>(plan, {
        loop,
        boot(life, storage) {
          const hasher: PasswordHasher = {
            hash: (password) =>
              life.call('read', async () => hashOf(password), { there: 1, back: 0 }),
            verify: (password, hash) =>
              life.call('read', async () => hashOf(password) === hash, { there: 1, back: 0 }),
            needsRehash: () => false,
          }
          const send = async ({
            target,
            code,
            link,
          }: {
            target: string
            code?: string
            link?: string
          }) => {
            const sent = code ?? (link && new URL(link).searchParams.get('code'))
            await life.call('send', async () => people.receive(target, sent ?? ''), {
              there: 5,
              back: 0,
            })
          }
          const auth = createAuth({
            storage,
            logger: false,
            config,
            hasher,
            clock: life.clock,
            ids: life.ids,
            random: (size) =>
              Uint8Array.from({ length: size }, () => Math.floor(life.random() * 256)),
            secrets: [{ id: 'k1', key: 'test key of at least thirty-two bytes' }],
            senders: { sendEmail: send, sendSms: send },
            onEvent: (event) =>
              life.call('send', async () => void events.push(event), { there: 3, back: 0 }),
          })
          startAuth(auth)
          return auth
        },
      })
      const { timeline, storage } = cluster
      const people = createPeople(cluster)
      await importMembers(cluster.storage.raw)
      for (const event of plan.events) {
        if (event.kind === 'cluster') continue
        if ('racers' in event) timeline.schedule(event.at, event.kind, () => people.act(event))
        else cluster.schedule(event)
      }
      await cluster.runUntilHealed(troubleMs)
      await timeline.runUntil(troubleMs + settleMs)
      const failures = await checkFlows({
        people,
        storage: storage.raw,
        events,
        faults: cluster.faults,
        async run<T>(work: () => Promise<T>) {
          let result: T | undefined
          work().then(
            (value) => {
              result = value
            },
            () => {},
          )
          await timeline.runUntil(timeline.now + 10_000)
          return result
        },
      })
      return { failures, hash: timeline.hash, steps: timeline.steps, story: cluster.story }
    }),
}

/** Creates the members' accounts while nothing fails yet. */
async function importMembers(storage: Parameters<typeof createAuth>[0]['storage']): Promise<void> {
  const auth = createAuth({
    storage,
    logger: false,
    config,
    clock: { now: () => epoch, monotonic: () => 0, setTimer: () => () => {} },
    secrets: [{ id: 'k1', key: 'test key of at least thirty-two bytes' }],
    hasher: { hash: async () => '', verify: async () => false, needsRehash: () => false },
    senders: { sendEmail: async () => {}, sendSms: async () => {} },
  })
  const results = await importUsers(
    auth,
    Array.from({ length: members }, (_, person) => ({
      email: emailOf(person),
      password: { type: 'scrypt', password_hash: hashOf(firstPassword) },
    })),
  )
  for (const result of results) {
    if (result.outcome !== 'inserted') throw new Error(`not imported: ${JSON.stringify(result)}`)
  }
}
