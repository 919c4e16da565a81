import {
  createAlerts,
  createAuth,
  createUser,
  createWebhooks,
  getUser,
  isGatehouseError,
  setPassword,
  updateUser,
} from '@gatehouse/core'
import { importUsers } from '@gatehouse/core/auth'
import { createOAuthClient } from '@gatehouse/core/oauth'
import { createManualClock } from '@gatehouse/core/testing'
import { createMemoryStorage } from '@gatehouse/store-memory'
import { describe, expect, it } from 'vitest'

/** Passes a value as a program without types does. */
const untyped = (value: unknown): never => value as never

const alertsConfig = 'route: { receiver: team }\nreceivers: [{ name: team }]'
const authConfig = 'id: app\nhttp: { public_origin: https://app.example }\n'

function refusal(call: () => unknown): unknown {
  try {
    call()
  } catch (error) {
    return isGatehouseError(error) ? error.message : `raw: ${String(error)}`
  }
  return 'accepted'
}

describe('a factory', () => {
  const storage = createMemoryStorage()
  const port = 'such as createMemoryStorage() returns'

  it.each<[name: string, call: () => unknown, message: string]>([
    [
      'createAlerts without options',
      () => createAlerts(untyped(undefined)),
      'options: expected an object, got undefined',
    ],
    [
      'createAlerts without storage',
      () => createAlerts(untyped({ config: alertsConfig })),
      `options.storage: expected a Storage, ${port}, got undefined`,
    ],
    [
      'createAlerts without configuration',
      () => createAlerts(untyped({ storage })),
      'options.config: expected the text of a configuration or an object, got undefined',
    ],
    [
      'createAlerts with a mistyped option',
      () => createAlerts(untyped({ storage, config: alertsConfig, retention: 5 })),
      'options.retention: expected "retentionMs", got an unknown key',
    ],
    [
      'createAuth with a list of invalid domains',
      () =>
        createAuth({
          storage,
          config: authConfig,
          secrets: [{ id: 'a', key: new Uint8Array(32) }],
          lists: { emailDomainAllowlist: ['a.example', '@b.example'] },
        }),
      'options.lists.emailDomainAllowlist[1]: expected a domain name, got "@b.example"',
    ],
    [
      'createAlerts with an invalid clock',
      () => createAlerts(untyped({ storage, config: alertsConfig, clock: Date })),
      'options.clock: expected a Clock, got a function',
    ],
    [
      'createAuth without secrets',
      () => createAuth(untyped({ storage, config: authConfig })),
      'options.secrets: expected a list, got undefined',
    ],
    [
      'createAuth with a key that is too short',
      () =>
        createAuth({ storage, config: authConfig, secrets: [{ id: 'a', key: 'short secret' }] }),
      'options.secrets.a: expected a key of at least 32 bytes, got one of 12',
    ],
    [
      'createAuth with an incomplete storage',
      () => createAuth(untyped({ storage: { get() {} }, config: authConfig, secrets: [] })),
      `options.storage: expected a Storage, ${port}, got one without find()`,
    ],
    [
      'createWebhooks without options',
      () => createWebhooks(untyped(null)),
      'options: expected an object, got null',
    ],
    [
      'createWebhooks without storage',
      () => createWebhooks(untyped({ config: '' })),
      `options.storage: expected a Storage, ${port}, got undefined`,
    ],
    [
      'createOAuthClient without credentials',
      () => createOAuthClient(untyped({})),
      'options.credentials: expected an object of strings, got undefined',
    ],
    [
      'createManualClock with an object',
      () => createManualClock(untyped({ now: 5 })),
      'startAt: expected an instant: milliseconds since the Unix epoch, a Date or RFC 3339 text, got an object',
    ],
  ])('%s is refused with the expected value', (_, call, message) => {
    expect(refusal(call)).toBe(message)
  })

  it('shows no secret that is in the wrong place', () => {
    const config = { storage, config: authConfig, secrets: 'correct horse battery staple' }
    expect(refusal(() => createAuth(untyped(config)))).not.toContain('horse')
    const credentials = { google: 'correct horse battery staple' }
    expect(refusal(() => createOAuthClient(untyped({ credentials })))).not.toContain('horse')
  })
})

describe('the instants of a user', () => {
  const setUp = async () => {
    const clock = createManualClock(Date.UTC(2026, 0, 2, 12))
    const secrets = [{ id: 'a', key: new Uint8Array(32) }]
    const auth = createAuth({
      storage: createMemoryStorage({ clock }),
      clock,
      config: authConfig,
      secrets,
    })
    const id = await createUser(auth, { email: 'maya@harborlight.example' })
    return { auth, id }
  }
  const past = '2026-01-01T00:00:00Z'

  it('lock the user out, in any format', async () => {
    const { auth, id } = await setUp()
    for (const until of [past, new Date(past), Date.parse(past)]) {
      await updateUser(auth, id, { account_valid_until: until })
      expect(await getUser(auth, id)).toMatchObject({ account_valid_until: Date.parse(past) })
    }
    const [imported] = await importUsers(auth, [
      { preferred_username: 'lena', account_valid_until: past },
    ])
    const other = imported?.outcome === 'inserted' ? imported.user_id : ''
    expect(await getUser(auth, other)).toMatchObject({ account_valid_until: Date.parse(past) })
    const made = await createUser(auth, { preferred_username: 'ann', account_valid_from: past })
    expect(await getUser(auth, made)).toMatchObject({ account_valid_from: Date.parse(past) })
  })

  it.each([
    [{ account_valid_until: 'yesterday' }, 'changes.account_valid_until'],
    [{ account_valid_until: 1e18 }, 'changes.account_valid_until'],
    [{ account_valid_untill: 5 }, 'changes.account_valid_untill'],
    [{ is_disabled: 'true' }, 'changes.is_disabled'],
    [{ standard_attributes: { name: 5n } }, 'changes.standard_attributes.name'],
    [undefined, 'changes'],
  ])('refuse %o', async (changes, path) => {
    const { auth, id } = await setUp()
    const before = await getUser(auth, id)
    await expect(updateUser(auth, id, untyped(changes))).rejects.toMatchObject({ info: { path } })
    await expect(setPassword(auth, id, 'x', { expireAfter: 'soon' })).rejects.toMatchObject({
      info: { path: 'options.expireAfter' },
    })
    expect(await getUser(auth, id)).toEqual(before)
  })
})
