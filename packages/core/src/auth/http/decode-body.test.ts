import { describe, expect, it } from 'vitest'
import type { Json } from '../../storage/storage.ts'
import {
  advanceFlowBody,
  approveLinkBody,
  createFlowBody,
  getFlowStateBody,
  profileChangesBody,
} from '../api/bodies.ts'
import { authApi } from '../api/operations.ts'
import { disabling, importedUsers, newUser } from '../api/users.ts'
import { bodyJsonSchema } from '../schema/body-decoder.ts'
import {
  decodeAdvanceFlow,
  decodeApproveLink,
  decodeCreateFlow,
  decodeGetFlowState,
} from './decode-body.ts'

type Decode = (body: Json) => Promise<unknown>

async function causesOf(decode: Decode, body: Json): Promise<unknown> {
  try {
    await decode(body)
  } catch (error) {
    expect(error).toMatchObject({ reason: 'ValidationFailed', message: 'invalid request body' })
    return Object(error).info.causes
  }
  throw new Error(`expected a refusal of ${JSON.stringify(body)}`)
}

const required = (actual: string[], expected: string[], missing = expected) => ({
  location: '',
  kind: 'required',
  details: { actual, expected, missing },
})

describe('the body that creates a flow', () => {
  it('keeps unknown members', async () => {
    const body = { type: 'login', name: 'default', input: {}, future: [1] }
    expect(await decodeCreateFlow(body)).toEqual(body)
  })

  it('needs a type and a name', async () => {
    expect(await causesOf(decodeCreateFlow, {})).toEqual([required([], ['name', 'type'])])
    expect(await causesOf(decodeCreateFlow, { name: 'default' })).toEqual([
      required(['name'], ['name', 'type'], ['type']),
    ])
  })

  it('must name a known type', async () => {
    expect(await causesOf(decodeCreateFlow, { type: 'logout', name: 'default' })).toEqual([
      {
        location: '/type',
        kind: 'enum',
        details: {
          expected: ['signup', 'promote', 'login', 'signup_login', 'reauth', 'account_recovery'],
          actual: 'logout',
        },
      },
    ])
  })

  it.each<[Json, string, string]>([
    [{ type: 'login', name: 5 }, '/name', 'type'],
    [{ type: null, name: 'default' }, '/type', 'type'],
    [{ type: 'login', name: 'default', input: [] }, '/input', 'type'],
    [{ type: 'login', name: 'default', input: null }, '/input', 'type'],
    [{ type: 'login', name: 'default', batch_input: {} }, '/batch_input', 'type'],
    [{ type: 'login', name: 'default', batch_input: [{}, 'x'] }, '/batch_input/1', 'type'],
    [
      { type: 'login', name: 'default', batch_input: Array(51).fill({}) },
      '/batch_input',
      'maxItems',
    ],
    [{ type: 'login', name: 'default', url_query: 'x'.repeat(20_000) }, '/url_query', 'maxLength'],
    [[], '', 'type'],
    ['login', '', 'type'],
    [null, '', 'type'],
  ])('is refused as %.60j', async (body, location, kind) => {
    expect(await causesOf(decodeCreateFlow, body)).toMatchObject([{ location, kind }])
  })
})

describe('the body that advances a flow', () => {
  it('has one input or several', async () => {
    for (const body of [
      { state_token: 't', input: {} },
      { state_token: 't', batch_input: [{}] },
    ]) {
      expect(await decodeAdvanceFlow(body)).toEqual(body)
    }
  })

  it('must have an input', async () => {
    expect(await causesOf(decodeAdvanceFlow, { state_token: 't' })).toEqual([
      required(['state_token'], ['input']),
      required(['state_token'], ['batch_input']),
    ])
  })

  it('must not have both', async () => {
    expect(
      await causesOf(decodeAdvanceFlow, { state_token: 't', input: {}, batch_input: [{}] }),
    ).toEqual([{ location: '', kind: 'oneOf' }])
  })

  it('must not have an empty list', async () => {
    expect(await causesOf(decodeAdvanceFlow, { state_token: 't', batch_input: [] })).toEqual([
      { location: '/batch_input', kind: 'minItems', details: { expected: 1, actual: 0 } },
    ])
  })

  it('needs the token, except with the code of a recovery link', async () => {
    expect(await causesOf(decodeAdvanceFlow, { input: {} })).toEqual([
      required(['input'], ['state_token']),
    ])
    expect(await causesOf(decodeAdvanceFlow, { input: { account_recovery_code: 5 } })).toEqual([
      required(['input'], ['state_token']),
    ])
    const single = { input: { account_recovery_code: 'x' } }
    const several = { batch_input: [{ account_recovery_code: 'x' }, { new_password: 'y' }] }
    expect(await decodeAdvanceFlow(single)).toEqual(single)
    expect(await decodeAdvanceFlow(several)).toEqual(several)
  })

  it('can have members named like those of Object.prototype', async () => {
    const body = JSON.parse('{"__proto__":{"state_token":"t"},"constructor":1,"input":{}}')
    expect(await causesOf(decodeAdvanceFlow, body)).toEqual([
      required(['__proto__', 'constructor', 'input'], ['state_token']),
    ])
  })
})

describe('the schemas of bodies', () => {
  const bodies = Object.entries(authApi.operations).flatMap(([id, { body }]) =>
    body === undefined ? [] : [{ id, body }],
  )
  /** Keywords that `validateJson()` checks, and those that only inform. */
  const known = new Set(
    'type required properties items const enum minLength maxLength minItems maxItems oneOf anyOf format description'.split(
      ' ',
    ),
  )

  function unknownKeywords(schema: object): readonly string[] {
    return Object.entries(schema).flatMap(([keyword, value]) => {
      if (keyword === 'additionalProperties' && JSON.stringify(value) === '{}') return []
      if (!known.has(keyword)) return [keyword]
      if (keyword === 'properties')
        return Object.values(value).flatMap((one) => unknownKeywords(Object(one)))
      if (keyword === 'items') return unknownKeywords(value)
      return keyword === 'oneOf' || keyword === 'anyOf' ? value.flatMap(unknownKeywords) : []
    })
  }

  it.each([
    ['createFlow', createFlowBody],
    ['advanceFlow', advanceFlowBody],
    ['getFlowState', getFlowStateBody],
    ['approveLink', approveLinkBody],
    ['updateProfile', profileChangesBody],
    ['importUsers', importedUsers],
    ['createUser', newUser],
    ['disableUser', disabling],
  ])('of %s document the operation, and have no keyword that is not checked', (id, schema) => {
    expect(bodies.find((one) => one.id === id)?.body).toBe(schema)
    expect(unknownKeywords(bodyJsonSchema(schema))).toEqual([])
  })

  it('offer only types of flows that a client can create', async () => {
    const { properties } = bodyJsonSchema(createFlowBody)
    const types = properties?.type?.enum ?? []
    expect(types).toHaveLength(6)
    for (const type of types)
      expect(await decodeCreateFlow({ type, name: 'default' })).toMatchObject({ type })
    expect(await causesOf(decodeCreateFlow, { type: 'account', name: 'default' })).toMatchObject([
      { location: '/type', kind: 'enum' },
    ])
  })
})

describe('a refusal', () => {
  it('quotes only a short part of a long input', async () => {
    const names = Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`n${i}`, 1]))
    const [cause] = (await causesOf(decodeAdvanceFlow, { ...names, ['x'.repeat(1_000)]: 1 })) as [
      { details: { actual: string[] } },
    ]
    expect(cause.details.actual).toHaveLength(100)
    const long = await causesOf(decodeCreateFlow, { type: 'x'.repeat(201), name: 'n' })
    expect(long).toMatchObject([{ location: '/type', kind: 'enum' }])
    expect(JSON.stringify(long)).not.toContain('xxx')
  })
})

describe('other bodies', () => {
  it('need their one member', async () => {
    expect(await decodeGetFlowState({ state_token: 't' })).toEqual({ state_token: 't' })
    expect(await decodeApproveLink({ code: 'c' })).toEqual({ code: 'c' })
    expect(await causesOf(decodeGetFlowState, {})).toEqual([required([], ['state_token'])])
    expect(await causesOf(decodeApproveLink, { code: null })).toMatchObject([
      { location: '/code', kind: 'type' },
    ])
  })
})
