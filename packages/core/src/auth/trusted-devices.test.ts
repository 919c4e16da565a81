import { describe, expect, it } from 'vitest'
import { deviceTokenCollection } from './accounts/device-token-record.ts'
import { totpCode } from './kinds/totp/totp.ts'
import { removeAuthenticator } from './own-account/remove-authenticator.ts'
import { addAuthenticator } from './people/add-authenticator.ts'
import { createUser } from './people/create-user.ts'
import { disableUser, enableUser } from './people/update-user.ts'
import { decodeBase32 } from './secrets/base32.ts'
import { startFlow, stateOf, type TestAuth, type TestFlow, testAuth } from './service.fixture.ts'

const email = 'maya@harborlight.example'
const password = 'tidal-lantern-42'
const first = 'K5QW4ZLOM5SWK3TFOJQXIZLEEBRHSIDN'
const second = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'

interface House extends TestAuth {
  readonly id: string
  /** The TOTP app that the browser was trusted with. */
  readonly app: string
  /** The cookies of the trusted browser. */
  readonly cookie: string
}

async function login(world: TestAuth, cookie?: string): Promise<TestFlow> {
  const flow = await startFlow(world, 'login', cookie === undefined ? {} : { cookie })
  await flow.input({ identification: 'email', login_id: email })
  await flow.input({ authentication: 'primary_password', password })
  return flow
}

/** Whether the browser skips the second factor. */
const isTrusted = async (world: House): Promise<boolean> =>
  stateOf((await login(world, world.cookie)).last).action.type === 'finished'

/** Maya has a TOTP app, and a browser that was trusted with it. */
async function house(): Promise<House> {
  const world = testAuth()
  const { auth, clock } = world
  const id = await createUser(auth, { email, password })
  const app = await addAuthenticator(auth, id, { type: 'totp', secret: first })
  const flow = await login(world)
  const code = totpCode(decodeBase32(first) ?? new Uint8Array(), Math.floor(clock.now() / 30_000))
  const input = { authentication: 'secondary_totp', code, request_device_token: true }
  expect(stateOf(await flow.input(input)).action.type).toBe('finished')
  const cookie = flow.last.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  const made = { ...world, id, app, cookie }
  expect(await isTrusted(made)).toBe(true)
  return made
}

const devicesOf = ({ storage, id }: House) =>
  deviceTokenCollection.find(storage, { by: 'user_id', equals: id, limit: 9 })

describe('the trust in a device', () => {
  it('ends with the factor that it stands for, though there is another one', async () => {
    const world = await house()
    await addAuthenticator(world.auth, world.id, { type: 'totp', secret: second })
    expect(await isTrusted(world)).toBe(true)
    await removeAuthenticator(world.auth, world.id, world.app)
    expect(await isTrusted(world)).toBe(false)
    expect(await devicesOf(world)).toEqual([])
  })

  it('does not end with another factor', async () => {
    const world = await house()
    const other = await addAuthenticator(world.auth, world.id, { type: 'totp', secret: second })
    await removeAuthenticator(world.auth, world.id, other)
    expect(await isTrusted(world)).toBe(true)
  })

  it('does not come back with a new factor', async () => {
    const world = await house()
    await removeAuthenticator(world.auth, world.id, world.app)
    await addAuthenticator(world.auth, world.id, { type: 'totp', secret: first })
    expect(await isTrusted(world)).toBe(false)
  })

  it('ends when the user is disabled', async () => {
    const world = await house()
    await disableUser(world.auth, world.id)
    await enableUser(world.auth, world.id)
    expect(await isTrusted(world)).toBe(false)
  })

  it('of earlier versions stands for every factor, and ends with any', async () => {
    const world = await house()
    const [device] = await devicesOf(world)
    if (device === undefined) throw new Error('no device is trusted')
    const { authenticator_id: _id, ...old } = device.value
    await world.storage.commit([deviceTokenCollection.write(device.id, old)])
    expect(await isTrusted(world)).toBe(true)
    const other = await addAuthenticator(world.auth, world.id, { type: 'totp', secret: second })
    await removeAuthenticator(world.auth, world.id, other)
    expect(await isTrusted(world)).toBe(false)
  })
})
