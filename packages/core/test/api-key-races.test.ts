import { createManualClock } from '@gatehouse/core/testing'
import { createMemoryStorage } from '@gatehouse/store-memory'
import { expect, it } from 'vitest'
import { sessionOf } from '../src/auth/own-account/account.fixture.ts'
import { createOwnApiKey } from '../src/auth/own-account/own-api-keys.ts'
import { startFlow, startOfTests, stateOf, testAuth } from '../src/auth/service.fixture.ts'
import { disownSignIn } from '../src/auth/sessions/disown-sign-in.ts'
import { resolveSessionToken } from '../src/auth/sessions/resolve-session.ts'
import { listApiKeys } from '../src/auth/tokens/list-api-keys.ts'
import { interruptedStorage } from './interrupted-storage.ts'

const email = 'maya@harborlight.example'
const key = { name: 'theirs', scopes: ['orders:read'] }

/** More calls of the storage than one operation makes. */
const maxCalls = 100

/** A stranger is in an account whose address nobody has proven. */
async function taken() {
  const clock = createManualClock(startOfTests)
  const { storage, interrupt } = interruptedStorage(createMemoryStorage({ clock }))
  const world = testAuth(
    {
      api_keys: { scopes: ['orders:read'], own_scopes: ['orders:read'] },
      authentication: { primary_authenticators: ['password', 'oob_otp_email'] },
      verification: { claims: { email: { required: false } } },
    },
    { storage, clock },
  )
  const flow = await startFlow(world, 'signup')
  await flow.input({ identification: 'email', login_id: email })
  await flow.input({ authentication: 'primary_password', new_password: 'mine-mine-42' })
  const token = flow.last.ok ? flow.last.cookies.find(({ name }) => name === 'session')?.value : ''
  const session = await resolveSessionToken(world.auth, token ?? '')
  if (session === undefined) return expect.fail('the stranger is not in')
  clock.advance(1_000)
  const theirs = await sessionOf(world, session.user_id)
  const makeKey = () => createOwnApiKey(world.auth, theirs.session, key).catch(() => undefined)
  return { ...world, clock, interrupt, userId: session.user_id, makeKey }
}

type Taken = Awaited<ReturnType<typeof taken>>

/** Prepares how the owner ends what the stranger has set up. */
const ends: Readonly<Record<string, (world: Taken) => Promise<() => Promise<unknown>>>> = {
  'the first proof of the address': async (world) => {
    const flow = await startFlow(world, 'login')
    await flow.input({ identification: 'email', login_id: email })
    stateOf(await flow.input({ authentication: 'primary_oob_otp_email', index: 1 }))
    await Promise.all(world.auth.sending)
    const code = world.codeTo(email)
    return async () => expect(stateOf(await flow.input({ code })).action.type).toBe('finished')
  },
  'the link of a mail about the sign-in':
    async ({ auth, userId }) =>
    () =>
      disownSignIn(auth, { user_id: userId, at: startOfTests }),
}

it.each(Object.entries(ends))(
  'a stranger keeps no API key that is made during %s',
  async (_, prepare) => {
    for (const isOwnerFirst of [true, false]) {
      for (let call = 1; call < maxCalls; call++) {
        const world = await taken()
        const end = await prepare(world)
        const [outer, inner] = isOwnerFirst ? [end, world.makeKey] : [world.makeKey, end]
        const { isInterrupted, calls } = await world.interrupt(call, inner, outer)
        if (!isInterrupted) break
        const kept = await listApiKeys(world.auth, { user_id: world.userId })
        const at = { isOwnerFirst, place: calls.at(-1) }
        expect({ ...at, kept }).toEqual({ ...at, kept: [] })
      }
    }
  },
)
