import { describe, expect, it } from 'vitest'
import { configWith } from '../../config/config.fixture.ts'
import { findFlow } from './find-flow.ts'

const steps = [{ type: 'identify', one_of: [{ identification: 'email' }] }]
const config = configWith({
  authentication_flow: {
    signup_flows: [
      { name: 'fast', steps },
      { name: 'default', steps },
    ],
    login_flows: [{ name: 'slow', steps }],
  },
})

describe('findFlow', () => {
  it('finds a declared flow by its type and its name', () => {
    expect(findFlow(config, 'signup', 'fast')).toEqual({ type: 'signup', name: 'fast', steps })
    expect(findFlow(config, 'login', 'slow')).toEqual({ type: 'login', name: 'slow', steps })
    expect(findFlow(config, 'signup', 'slow')).toBeUndefined()
  })

  it('knows a default flow that nobody declared, and prefers one that somebody did', () => {
    expect(findFlow(config, 'signup', 'default')?.steps).toEqual(steps)
    expect(findFlow(config, 'login', 'default')?.steps).toHaveLength(3)
  })

  it('knows no other', () => {
    for (const name of ['', 'Default', 'constructor', '__proto__', 'toString']) {
      expect(findFlow(config, 'signup', name)).toBeUndefined()
    }
    expect(findFlow(config, 'reauth', 'again')).toBeUndefined()
  })
})
