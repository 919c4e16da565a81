import { describe, expect, it } from 'vitest'
import type { FlowType, Step } from '../config/flow-definition.ts'
import { initialState } from './engine.ts'
import { nextStep } from './next-step.ts'
import type { Fact, FlowSnapshot } from './state.ts'

const who: Step = { name: 'who', type: 'identify', one_of: [{ identification: 'email' }] }
const password: Step = {
  type: 'create_authenticator',
  one_of: [{ authentication: 'primary_password' }],
}
const code: Step = {
  type: 'create_authenticator',
  one_of: [
    { authentication: 'primary_password' },
    { authentication: 'primary_oob_otp_email', target_step: 'who' },
  ],
}
const verify: Step = { type: 'verify', target_step: 'who' }
const how: Step = {
  name: 'how',
  type: 'authenticate',
  one_of: [{ authentication: 'primary_password' }],
}
const change: Step = { type: 'change_password', target_step: 'how' }
const profile = (pointer: string): Step => ({
  type: 'fill_in_user_profile',
  user_profile: [{ pointer, required: true }],
})
const passkey: Step = { type: 'prompt_create_passkey' }
const known: Fact = { kind: 'user_identified', user_id: 'u1' }
const guest: Fact = { kind: 'user_identified', user_id: 'u1', is_promoted: true }

function at(type: FlowType, steps: readonly Step[], facts: readonly Fact[] = []): FlowSnapshot {
  return initialState('f1', { type, name: 'default', steps }, facts)
}

/** The order in which steps run if each one establishes what it is for. */
function orderOf(state: FlowSnapshot): readonly Step[] {
  const { step, pending } = nextStep(state)
  if (step === undefined) return []
  const { type, name } = step
  const entered = [...state.entered, name === undefined ? { type } : { type, name }]
  const facts = type === 'identify' ? [...state.facts, known] : state.facts
  return [step, ...orderOf({ ...state, pending, entered, facts })]
}

describe('the steps of a sign-up', () => {
  it('run in their order', () => {
    const orders: readonly (readonly Step[])[] = [
      [who, verify, code, profile('/name')],
      [password, profile('/name'), who],
      [{ type: 'view_recovery_code' }, password, who],
    ]
    for (const steps of orders) expect(orderOf(at('signup', steps))).toEqual(steps)
  })

  it('wait for the identity that they refer to', () => {
    expect(orderOf(at('signup', [verify, code, password, who]))).toEqual([
      password,
      who,
      verify,
      code,
    ])
  })

  it('wait for an identity that they name, or whose address they ask for', () => {
    const steps = [passkey, profile('/email'), profile('/name'), who]
    const order = [profile('/name'), who, passkey, profile('/email')]
    expect(orderOf(at('signup', steps))).toEqual(order)
    expect(orderOf(at('promote', steps, [guest]))).toEqual(order)
  })

  it('wait for a step in a branch of another one', () => {
    const outer: Step = {
      type: 'identify',
      one_of: [{ identification: 'username', steps: [who] }],
    }
    expect(orderOf(at('signup', [verify, outer]))).toEqual([outer, verify])
  })

  it('do not wait for a step that never comes', () => {
    expect(orderOf(at('signup', [verify, password]))).toEqual([verify, password])
  })
})

describe('the steps of a login', () => {
  const status: Step = { type: 'check_account_status' }

  it('wait for the user, and for the steps that they refer to', () => {
    expect(orderOf(at('login', [change, how, status, who]))).toEqual([who, how, change, status])
    expect(orderOf(at('login', [who, status, change, how]))).toEqual([who, status, how, change])
  })

  it('do not wait for a user who is known, or whom no step identifies', () => {
    expect(orderOf(at('login', [status, how], [known]))).toEqual([status, how])
    expect(orderOf(at('login', [status, how]))).toEqual([status, how])
  })
})
