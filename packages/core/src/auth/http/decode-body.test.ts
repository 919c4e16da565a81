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
import { importedUsers } from '../api/users.ts'
import { bodyJsonSchema } from '../schema/body-decoder.ts'
import {
  decodeAdvanceFlow,
  decodeApproveLink,
  decodeCreateFlow,
  decodeGetFlowState,
} from './decode-body.ts'

type Decode = (body: Json) => unknown

function causesOf(decode: Decode, body: Json): unknown {
  try {
    decode(body)
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
  it('keeps unknown members', () => {
    const body = { type: 'login', name: 'default', input: {}, future: [1] }
    expect(decodeCreateFlow(body)).toEqual(body)
  })

  it('needs a type and a name', () => {
    expect(causesOf(decodeCreateFlow, {})).toEqual([required([], ['name', 'type'])])
    expect(causesOf(decodeCreateFlow, { name: 'default' })).toEqual([
      required(['name'], ['name', 'type'], ['type']),
    ])
  })

  it('must name a known type', () => {
    expect(causesOf(decodeCreateFlow, { type: 'logout', name: 'default' })).toEqual([
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
  ])('is refused as %.60j', (body, location, kind) => {
    expect(causesOf(decodeCreateFlow, body)).toMatchObject([{ location, kind }])
  })
})

describe('the body that advances a flow', () => {
  it('has one input or several', () => {
    for (const body of [
      { state_token: 't', input: {} },
      { state_token: 't', batch_input: [{}] },
    ]) {
      expect(decodeAdvanceFlow(body)).toEqual(body)
    }
  })

  it('must have an input', () => {
    expect(causesOf(decodeAdvanceFlow, { state_token: 't' })).toEqual([
      required(['state_token'], ['input']),
      required(['state_token'], ['batch_input']),
    ])
  })

  it('must not have both', () => {
    expect(causesOf(decodeAdvanceFlow, { state_token: 't', input: {}, batch_input: [{}] })).toEqual(
      [{ location: '', kind: 'oneOf' }],
    )
  })

  it('must not have an empty list', () => {
    expect(causesOf(decodeAdvanceFlow, { state_token: 't', batch_input: [] })).toEqual([
      { location: '/batch_input', kind: 'minItems', details: { expected: 1, actual: 0 } },
    ])
  })

  it('needs the token, except with the code of a recovery link', () => {
    expect(causesOf(decodeAdvanceFlow, { input: {} })).toEqual([
      required(['input'], ['state_token']),
    ])
    expect(causesOf(decodeAdvanceFlow, { input: { account_recovery_code: 5 } })).toEqual([
      required(['input'], ['state_token']),
    ])
    const single = { input: { account_recovery_code: 'x' } }
    const several = { batch_input: [{ account_recovery_code: 'x' }, { new_password: 'y' }] }
    expect(decodeAdvanceFlow(single)).toEqual(single)
    expect(decodeAdvanceFlow(several)).toEqual(several)
  })

  it('can have members named like those of Object.prototype', () => {
    const body = JSON.parse('{"__proto__":{"state_token":"t"},"constructor":1,"input":{}}')
    expect(causesOf(decodeAdvanceFlow, body)).toEqual([
      required(['__proto__', 'constructor', 'input'], ['state_token']),
    ])
  })
})

describe('the schemas of bodies', () => {
  const bodies = authApi.operations.flatMap(({ id, body }) =>
    body === undefined ? [] : [{ id, body }],
  )
  /** Keywords that `validateJson()` checks, and those that only inform. */
  const known = new Set(
    'type required properties items const enum minLength maxLength minItems maxItems oneOf description'.split(
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
      return keyword === 'oneOf' ? value.flatMap(unknownKeywords) : []
    })
  }

  it.each([
    ['createFlow', createFlowBody],
    ['advanceFlow', advanceFlowBody],
    ['getFlowState', getFlowStateBody],
    ['approveLink', approveLinkBody],
    ['updateProfile', profileChangesBody],
    ['importUsers', importedUsers],
  ])('of %s document the operation, and have no keyword that is not checked', (id, schema) => {
    expect(bodies.find((one) => one.id === id)?.body).toBe(schema)
    expect(unknownKeywords(bodyJsonSchema(schema))).toEqual([])
  })

  it('offer only types of flows that a client can create', () => {
    const { properties } = bodyJsonSchema(createFlowBody)
    const types = properties?.type?.enum ?? []
    expect(types).toHaveLength(6)
    for (const type of types)
      expect(decodeCreateFlow({ type, name: 'default' })).toMatchObject({ type })
    expect(causesOf(decodeCreateFlow, { type: 'account', name: 'default' })).toMatchObject([
      { location: '/type', kind: 'enum' },
    ])
  })
})

describe('a refusal', () => {
  it('quotes only a short part of a long input', () => {
    const names = Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`n${i}`, 1]))
    const [cause] = causesOf(decodeAdvanceFlow, { ...names, ['x'.repeat(1_000)]: 1 }) as [
      { details: { actual: string[] } },
    ]
    expect(cause.details.actual).toHaveLength(100)
    const long = causesOf(decodeCreateFlow, { type: 'x'.repeat(201), name: 'n' })
    expect(long).toMatchObject([{ location: '/type', kind: 'enum' }])
    expect(JSON.stringify(long)).not.toContain('xxx')
  })
})

describe('other bodies', () => {
  it('need their one member', () => {
    expect(decodeGetFlowState({ state_token: 't' })).toEqual({ state_token: 't' })
    expect(decodeApproveLink({ code: 'c' })).toEqual({ code: 'c' })
    expect(causesOf(decodeGetFlowState, {})).toEqual([required([], ['state_token'])])
    expect(causesOf(decodeApproveLink, { code: null })).toMatchObject([
      { location: '/code', kind: 'type' },
    ])
  })
})
