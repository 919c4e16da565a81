// How many storage operations a flow of ten requests takes.
import { advanceFlow } from '@gatehouse/core'
import { createMemoryStorage } from '@gatehouse/store-memory'
import { TOTP } from 'otpauth'
import { createService, goThrough, password, requestOf, stateOf } from './service.mjs'

const email = 'maya@harborlight.example'
const phone = '+6591234567'

const flow = {
  name: 'default',
  steps: [
    { type: 'identify', name: 'address', one_of: [{ identification: 'email' }] },
    { type: 'verify', target_step: 'address' },
    { type: 'identify', name: 'number', one_of: [{ identification: 'phone' }] },
    { type: 'verify', target_step: 'number' },
    { type: 'create_authenticator', one_of: [{ authentication: 'primary_password' }] },
    {
      type: 'create_authenticator',
      one_of: [{ authentication: 'secondary_totp', steps: [{ type: 'view_recovery_code' }] }],
    },
  ],
}

/** A configuration with the longest of the measured sign-ups. */
export const sections = {
  identity: { login_id: { keys: [{ type: 'email' }, { type: 'phone' }] } },
  authenticator: { oob_otp: { sms: { phone_otp_mode: 'sms' } } },
  authentication_flow: { signup_flows: [flow] },
}

/** @typedef {import('./service.mjs').Storage} Storage */

/**
 * @param {Storage} storage
 * @returns {{ storage: Storage, counts: { all: number, commits: number } }}
 */
function counted(storage) {
  const counts = { all: 0, commits: 0 }
  const proxy = new Proxy(storage, {
    get(target, name) {
      const member = Reflect.get(target, name)
      if (typeof member !== 'function') return member
      return (/** @type {unknown[]} */ ...given) => {
        counts.all++
        if (name === 'commit') counts.commits++
        return member.apply(target, given)
      }
    },
  })
  return { storage: proxy, counts }
}

/** A sign-up with an email address, a phone number, a password, TOTP and recovery codes. */
export async function countOperations() {
  const { storage, counts } = counted(createMemoryStorage())
  const { auth, outbox } = createService(sections, { storage })
  /** @type {(input: import('./service.mjs').FlowInput) => Promise<void>} */
  const feed = async (input) => {
    const params = { state_token: state.state_token, input }
    state = stateOf(await advanceFlow(auth, params, requestOf(1)))
  }
  let state = await goThrough(auth, 1, 'signup')
  await feed({ identification: 'email', login_id: email })
  await feed({ code: outbox.codeTo(email) })
  await feed({ identification: 'phone', login_id: phone })
  await feed({ code: outbox.codeTo(phone) })
  await feed({ authentication: 'primary_password', new_password: password })
  await feed({ authentication: 'secondary_totp' })
  const secret = String(state.action.data.secret)
  await feed({ code: new TOTP({ secret }).generate() })
  await feed({ confirm_recovery_code: true })
  if (state.action.type !== 'finished') throw new Error(`the flow is at ${state.action.type}`)
  return {
    'storage operations of a sign-up of 9 requests': counts.all,
    'commits among them': counts.commits,
  }
}
