import { describe, expect, it } from 'vitest'
import { configWith } from '../config/config.fixture.ts'
import { findClient, isFlowAllowed } from './allow-list.ts'

const steps = [{ type: 'identify', one_of: [{ identification: 'email' }] }]
const flow = { type: 'signup', name: 'fast' }
const client = (client_id: string, list?: object): object =>
  list === undefined ? { client_id } : { client_id, x_authentication_flow_allowlist: list }

const config = configWith({
  authentication_flow: { signup_flows: [{ name: 'fast', steps }] },
  ui: { authentication_flow: { groups: [{ name: 'quick', flows: [flow] }] } },
  oauth: {
    clients: [
      client('open'),
      client('closed', {}),
      client('by_flow', { flows: [flow] }),
      client('by_group', { groups: [{ name: 'quick' }] }),
      client('by_default', { groups: [{ name: 'default' }] }),
      client('by_both', {
        groups: [{ name: 'quick' }],
        flows: [{ type: 'login', name: 'default' }],
      }),
    ],
  },
})

describe('isFlowAllowed', () => {
  it.each([
    [null, true, true, true],
    ['unknown', true, true, true],
    ['open', true, true, true],
    ['closed', false, false, false],
    ['by_flow', true, false, false],
    ['by_group', true, false, false],
    ['by_default', false, true, true],
    ['by_both', true, false, true],
  ])(
    'for client %s: signup fast %s, signup default %s, login default %s',
    (id, fast, signup, login) => {
      expect(isFlowAllowed(config, id, 'signup', 'fast')).toBe(fast)
      expect(isFlowAllowed(config, id, 'signup', 'default')).toBe(signup)
      expect(isFlowAllowed(config, id, 'login', 'default')).toBe(login)
      expect(isFlowAllowed(config, id, 'login', 'fast')).toBe(fast && signup && login)
    },
  )

  it('treats a group called default as the built-in one', () => {
    const groups = [{ name: 'default', flows: [flow] }]
    const own = configWith({
      authentication_flow: { signup_flows: [{ name: 'fast', steps }] },
      ui: { authentication_flow: { groups } },
      oauth: { clients: [client('a', { groups: [{ name: 'default' }] })] },
    })
    expect(isFlowAllowed(own, 'a', 'signup', 'fast')).toBe(true)
    expect(isFlowAllowed(own, 'a', 'signup', 'default')).toBe(false)
  })
})

describe('findClient', () => {
  it('finds a client by id', () => {
    expect(findClient(config, 'open')?.client_id).toBe('open')
    expect(findClient(config, 'nobody')).toBeUndefined()
    expect(findClient(config, null)).toBeUndefined()
  })
})
