import { describe, expect, it } from 'vitest'
import { userCollection } from '../accounts/user-record.ts'
import { errorOf, startFlow, stateOf, type TestAuth, testAuth } from '../service.fixture.ts'

const email = 'maya@harborlight.example'
const password = 'tidal-lantern-42'

const signup_flows = [
  {
    name: 'default',
    steps: [
      { type: 'identify', name: 'who', one_of: [{ identification: 'email' }] },
      { type: 'create_authenticator', one_of: [{ authentication: 'primary_password' }] },
      {
        type: 'fill_in_user_profile',
        user_profile: [
          { pointer: '/given_name', required: true },
          { pointer: '/address/locality', required: false },
          { pointer: '/email', required: false },
          { pointer: '/x_size', required: false },
        ],
      },
    ],
  },
]
const custom = [{ id: '0000', pointer: '/x_size', type: 'enum', enum: ['S', 'M'] }]

/** A sign-up that has reached the profile step. */
async function atProfile() {
  const world = testAuth({
    authentication_flow: { signup_flows },
    user_profile: { custom_attributes: { attributes: custom } },
  })
  const flow = await startFlow(world, 'signup')
  await flow.input({ identification: 'email', login_id: email })
  await flow.input({ authentication: 'primary_password', new_password: password })
  return { world, flow }
}

async function storedUser({ storage }: TestAuth) {
  const [user] = await userCollection.find(storage, { by: 'id', limit: 2 })
  return user?.value
}

describe('a step that asks for a profile', () => {
  it('accepts attributes and stores them with the user', async () => {
    const { world, flow } = await atProfile()
    expect(stateOf(flow.last).action).toEqual({
      type: 'fill_in_user_profile',
      data: {
        attributes: [
          { pointer: '/given_name', required: true },
          { pointer: '/address/locality', required: false },
          { pointer: '/email', required: false },
          { pointer: '/x_size', required: false, type: 'enum', enum: ['S', 'M'] },
        ],
      },
    })
    const attributes = [
      { pointer: '/given_name', value: 'Maya' },
      { pointer: '/address/locality', value: 'Tallinn' },
      { pointer: '/x_size', value: 'S' },
    ]
    expect(await storedUser(world)).toBeUndefined()
    stateOf(await flow.input({ attributes }))
    expect(await storedUser(world)).toMatchObject({
      standard_attributes: { given_name: 'Maya', address: { locality: 'Tallinn' } },
      custom_attributes: { x_size: 'S' },
    })
  })

  it('erases requested attributes that are omitted, and keeps others', async () => {
    const { world, flow } = await atProfile()
    stateOf(await flow.input({ attributes: [{ pointer: '/given_name', value: 'Maya' }] }))
    expect(await storedUser(world)).toMatchObject({
      standard_attributes: { given_name: 'Maya' },
      custom_attributes: {},
    })
    expect((await storedUser(world))?.standard_attributes).not.toHaveProperty('email')
  })

  it('refuses missing required attributes', async () => {
    const { flow } = await atProfile()
    const refused = await flow.input({ attributes: [{ pointer: '/x_size', value: 'S' }] })
    expect(errorOf(refused)).toMatchObject({
      reason: 'ValidationFailed',
      info: {
        FlowType: 'signup',
        causes: [{ location: '/attributes', kind: 'contains', details: { actual: 0, min: 1 } }],
      },
    })
  })

  it("refuses attributes it did not request, and addresses that are not the user's", async () => {
    const { world, flow } = await atProfile()
    const name = { pointer: '/given_name', value: 'Maya' }
    for (const other of [
      { pointer: '/birthdate', value: '1990-01-01' },
      { pointer: '/email', value: 'lena@harborlight.example' },
      { pointer: '/x_size', value: 'XL' },
      { pointer: '/is_disabled', value: true },
      { pointer: '/__proto__/x', value: 1 },
    ]) {
      expect(errorOf(await flow.input({ attributes: [name, other] })).reason).toBe(
        'ValidationFailed',
      )
    }
    stateOf(await flow.input({ attributes: [name, { pointer: '/email', value: email }] }))
    expect((await storedUser(world))?.standard_attributes).toEqual({ given_name: 'Maya', email })
  })

  it.each([[undefined], [null], ['x'], [{}], [[null]], [[{ pointer: 1 }]], [[[]]]])(
    'refuses attributes that are %j',
    async (attributes) => {
      const { flow } = await atProfile()
      const input = attributes === undefined ? {} : { attributes }
      expect(errorOf(await flow.input(input)).reason).toBe('ValidationFailed')
    },
  )
})
