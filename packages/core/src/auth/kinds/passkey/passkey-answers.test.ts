import { createMemoryStorage } from '@gatehouse/store-memory'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runsOf } from '../../../../../../test-support/lane.ts'
import type { Json, Storage } from '../../../storage/storage.ts'
import { createManualClock } from '../../../testing/manual-clock.ts'
import { authenticatorCollection } from '../../accounts/authenticator-record.ts'
import type { AuthConfig } from '../../config/written/auth-config.generated.ts'
import { createAuth } from '../../create-auth.ts'
import type { FlowInput } from '../../flow/view.ts'
import { errorOf, startFlow, startOfTests, stateOf, type TestAuth } from '../../service.fixture.ts'
import {
  dataOf,
  newDevice,
  passkeyAuth,
  readAgain,
  requestOptionsOf,
  signUp,
  signUpToPrompt,
  startByPasskey,
  withPasskeys,
} from '../../webauthn/passkeys.fixture.ts'
import type { SoftwareAssertion } from '../../webauthn/software-authenticator.fixture.ts'
import { passkeyId } from './passkey.ts'
import { spentChallengeCollection } from './spend-challenge.ts'

const email = 'maya@harborlight.example'
const minute = 60_000

const unlimited = {
  ...withPasskeys.authentication,
  rate_limits: { passkey: { per_ip: { enabled: false } } },
}

const notFound = {
  code: 404,
  reason: 'WebAuthnSessionNotFound',
  info: { FlowType: 'login' },
}
const refused = { code: 401, reason: 'InvalidCredentials' }

async function withMaya(options: Parameters<typeof newDevice>[0] = {}): Promise<{
  readonly world: TestAuth
  readonly device: ReturnType<typeof newDevice>
  readonly userId: string
}> {
  const world = passkeyAuth()
  const device = newDevice(options)
  return { world, device, userId: await signUp(world, email, device) }
}

const inputOf = (response: object): FlowInput => ({
  identification: 'passkey',
  assertion_response: response as never,
})

/** A response with one member of its content replaced. */
const changed = (
  { assertion_response: whole }: FlowInput,
  members: { readonly [name: string]: Json },
): FlowInput => {
  const response = whole as unknown as SoftwareAssertion
  return inputOf({ ...response, response: { ...response.response, ...members } })
}

const countOf = async ({ storage }: TestAuth, credentialId: string): Promise<unknown> => {
  const record = await authenticatorCollection.get(storage, passkeyId(credentialId))
  return record?.value.type === 'passkey' ? record.value.sign_count : undefined
}

describe('the challenge of a passkey', () => {
  it('is valid for five minutes', async () => {
    const { world, device } = await withMaya()
    const late = await startByPasskey(world, device)
    world.clock.advance(5 * minute)
    expect(errorOf(await late.flow.input(late.input))).toMatchObject(notFound)
    const inTime = await startByPasskey(world, device)
    world.clock.advance(5 * minute - 1)
    stateOf(await inTime.flow.input(inTime.input))
  })

  it('is valid once in all flows, even for an authenticator that does not count', async () => {
    const { world, device } = await withMaya({ isCounting: false })
    const { flow, input } = await startByPasskey(world, device)
    const other = await startFlow(world, 'login')
    stateOf(await flow.input(input))
    expect(errorOf(await other.input(input))).toMatchObject(notFound)
    for (const ms of [5 * minute - 1, minute, 5 * minute]) {
      world.clock.advance(ms)
      expect(errorOf(await other.input(input))).toMatchObject(notFound)
    }
  })

  it('is spent by an invalid response too', async () => {
    const { world, device } = await withMaya()
    const { flow, input } = await startByPasskey(world, device)
    const wrong = changed(input, { signature: 'AAAA' })
    expect(errorOf(await flow.input(wrong))).toMatchObject(refused)
    expect(errorOf(await flow.input(input))).toMatchObject(notFound)
    const again = requestOptionsOf(await readAgain(world, flow))
    stateOf(await flow.input(inputOf(device.get(again))))
  })

  it('for a creation is not valid for a use, nor the other way round', async () => {
    const { world, device } = await withMaya()
    const prompt = await signUpToPrompt(world, 'lena@harborlight.example')
    const { challenge: toMake } = Object(dataOf(prompt.last, 'creation_options'))
    const login = await startFlow(world, 'login')
    const { challenge: toUse } = Object(requestOptionsOf(login.last))
    const used = device.get({ ...Object(requestOptionsOf(login.last)), challenge: toMake })
    expect(errorOf(await login.input(inputOf(used)))).toMatchObject(notFound)
    const options = { ...Object(dataOf(prompt.last, 'creation_options')), challenge: toUse }
    const made = newDevice().create(options)
    expect(errorOf(await prompt.input({ creation_response: made }))).toMatchObject({
      ...notFound,
      info: { FlowType: 'signup' },
    })
  })

  it('for a creation is valid once', async () => {
    const world = passkeyAuth()
    const [one, other] = [
      await signUpToPrompt(world, email),
      await signUpToPrompt(world, 'lena@harborlight.example'),
    ]
    const made = newDevice().create(dataOf(one.last, 'creation_options'))
    stateOf(await one.input({ creation_response: made }))
    expect(errorOf(await other.input({ creation_response: made })).reason).toBe(
      'WebAuthnSessionNotFound',
    )
    const options = dataOf(await readAgain(world, other), 'creation_options')
    world.clock.advance(5 * minute)
    const late = newDevice().create(options)
    expect(errorOf(await other.input({ creation_response: late })).reason).toBe(
      'WebAuthnSessionNotFound',
    )
  })

  it.each([
    ['of another service', Buffer.alloc(32, 7).toString('base64url')],
    ['of length zero', ''],
    ['that is not base64url', '%'],
  ])('%s is refused', async (_, challenge) => {
    const { world, device } = await withMaya()
    const flow = await startFlow(world, 'login')
    const used = device.get({ ...Object(requestOptionsOf(flow.last)), challenge })
    expect(errorOf(await flow.input(inputOf(used)))).toMatchObject(notFound)
  })

  it.each(['', 'e30', 'AAAA', '%%%'])('is not found in client data such as "%s"', async (text) => {
    const { world, device } = await withMaya()
    const { flow, input } = await startByPasskey(world, device)
    expect(errorOf(await flow.input(changed(input, { clientDataJSON: text })))).toMatchObject(
      notFound,
    )
  })

  it('is remembered no longer than a response could be repeated', async () => {
    const { world, device } = await withMaya()
    const { flow, input } = await startByPasskey(world, device)
    stateOf(await flow.input(input))
    const query = { by: 'id', limit: 10 } as const
    // One was for creating the passkey.
    expect(await spentChallengeCollection.find(world.storage, query)).toHaveLength(2)
    world.clock.advance(6 * minute)
    expect(await spentChallengeCollection.find(world.storage, query)).toEqual([])
  })

  it('is not stored when it is only shown', async () => {
    const world = passkeyAuth()
    const flow = await startFlow(world, 'login')
    for (let read = 0; read < 10; read++) await readAgain(world, flow)
    const query = { by: 'id', limit: 10 } as const
    expect(await spentChallengeCollection.find(world.storage, query)).toEqual([])
  })
})

describe('the count of a passkey', () => {
  it('rises with each use', async () => {
    const { world, device } = await withMaya()
    for (const count of [2, 3]) {
      const { flow, input } = await startByPasskey(world, device)
      stateOf(await flow.input(input))
      expect(await countOf(world, Object(input.assertion_response).id)).toBe(count)
    }
  })

  it('rises even if the flow does not end, and never falls', async () => {
    const { world, device } = await withMaya()
    const [first, second] = [
      await startByPasskey(world, device),
      await startByPasskey(world, device),
    ]
    stateOf(await second.flow.input(second.input))
    expect(errorOf(await first.flow.input(first.input))).toMatchObject(refused)
    expect(await countOf(world, Object(first.input.assertion_response).id)).toBe(3)
  })
})

describe('a use of a passkey', () => {
  it('is refused if the response names another user or, to identify, none', async () => {
    const { world, device, userId } = await withMaya()
    for (const userHandle of ['bGVuYQ', '', 7, {}, null] as const) {
      const { flow, input } = await startByPasskey(world, device)
      expect(errorOf(await flow.input(changed(input, { userHandle })))).toMatchObject(refused)
    }
    const { flow, input } = await startByPasskey(world, device)
    const userHandle = Buffer.from(userId).toString('base64url')
    stateOf(await flow.input(changed(input, { userHandle })))
  })

  it('costs the same for an unknown passkey and an invalid response', async () => {
    const clock = createManualClock(startOfTests)
    const log: string[] = []
    const storage = logged(createMemoryStorage({ clock }), log)
    const world = passkeyAuth({}, { storage, clock })
    const device = newDevice()
    await signUp(world, email, device)
    const stranger = newDevice()
    await signUp(passkeyAuth(), email, stranger)
    const seen: unknown[] = []
    for (const [one, members] of [
      [device, { signature: 'AAAA' }],
      [stranger, {}],
    ] as const) {
      const { flow, input } = await startByPasskey(world, one)
      log.length = 0
      const { tracking_id: _, ...error } = Object(
        errorOf(await flow.input(changed(input, members))),
      )
      seen.push([error, [...log]])
    }
    expect(seen[1]).toEqual(seen[0])
    expect(JSON.stringify(seen[0])).toContain('InvalidCredentials')
  })
})

/** A storage that logs its operations. */
function logged(storage: Storage, log: string[]): Storage {
  return new Proxy(storage, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name)
      if (typeof member !== 'function') return member
      return (...given: readonly unknown[]) => {
        const [of] = given
        const names = Array.isArray(of)
          ? of.map(({ collection }) => collection.name).join(' ')
          : Object(of).name
        log.push(`${String(name)} ${names}`)
        return Reflect.apply(member, target, given)
      }
    },
  })
}

describe('a service without a passkeys option', () => {
  it('refuses a configuration with passkeys', () => {
    const { storage } = passkeyAuth()
    const config: AuthConfig = {
      id: 'test',
      http: { public_origin: 'https://auth.example.com' },
      authentication: {
        identities: ['login_id', 'passkey'],
        primary_authenticators: ['password', 'passkey'],
      },
    }
    const secrets = [{ id: 'k1', key: 'test key of at least thirty-two bytes' }]
    expect(() => createAuth({ storage, config, secrets })).toThrow(
      /passkeys: expected Passkeys, as createPasskeys\(\)/,
    )
  })
})

describe('any JSON from a client', () => {
  /** JSON values from JSON.parse(). */
  const json = fc.json().map((text) => JSON.parse(text) as Json)
  const member = fc.oneof(json, fc.string(), fc.base64String())
  const answers = ['ValidationFailed', 'InvalidCredentials', 'WebAuthnSessionNotFound']

  /** Replacements for members of a response and of its content. */
  const others = (...inner: readonly string[]) =>
    fc.record(
      {
        outer: fc.dictionary(fc.constantFrom('id', 'rawId', 'type', 'response', 'x'), member, {
          maxKeys: 2,
          noNullPrototype: true,
        }),
        inner: fc.dictionary(fc.constantFrom(...inner), member, {
          minKeys: 1,
          maxKeys: 2,
          noNullPrototype: true,
        }),
      },
      { noNullPrototype: true },
    )

  const mixed = (
    whole: { readonly response: object },
    { outer, inner }: { readonly outer: object; readonly inner: object },
  ): never => ({ ...whole, response: { ...whole.response, ...inner }, ...outer }) as never

  it('is not accepted as a use of a passkey', async () => {
    const world = passkeyAuth({ authentication: unlimited })
    const device = newDevice()
    await signUp(world, email, device)
    const given = others('clientDataJSON', 'authenticatorData', 'signature', 'userHandle')
    const property = fc.asyncProperty(given, async (members) => {
      const { flow, input } = await startByPasskey(world, device)
      const response = mixed(Object(input.assertion_response), members)
      const result = await flow.input({ ...input, assertion_response: response })
      // A null user handle is treated as absent.
      if (!result.ok) expect(answers).toContain(result.error.reason)
      else expect(members.inner).toEqual({ userHandle: null })
    })
    await fc.assert(property, { numRuns: runsOf(50) })
  })

  it('creates no passkey', async () => {
    const world = passkeyAuth({ authentication: unlimited })
    const flow = await signUpToPrompt(world, email)
    const { token } = flow
    const given = others('clientDataJSON', 'attestationObject')
    const property = fc.asyncProperty(given, async (members) => {
      const options = dataOf(await readAgain(world, flow), 'creation_options')
      const response = mixed(newDevice().create(options), members)
      const result = await flow.input({ creation_response: response }, token)
      expect(answers).toContain(errorOf(result).reason)
    })
    await fc.assert(property, { numRuns: runsOf(50) })
  })
})
