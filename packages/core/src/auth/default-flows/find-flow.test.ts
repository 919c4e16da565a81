import { describe, expect, it } from 'vitest'
import { configWith } from '../config/config.fixture.ts'
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

  it('returns the generated default flow unless one is declared', () => {
    expect(findFlow(config, 'signup', 'default')?.steps).toEqual(steps)
    expect(findFlow(config, 'login', 'default')?.steps).toHaveLength(3)
  })

  it('returns undefined for any other', () => {
    for (const name of ['', 'Default', 'constructor', '__proto__', 'toString']) {
      expect(findFlow(config, 'signup', name)).toBeUndefined()
    }
    expect(findFlow(config, 'reauth', 'again')).toBeUndefined()
  })
})
