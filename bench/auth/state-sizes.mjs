// The sizes of stored flow states: every flow of every example, on every path that needs neither a browser nor another party.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { setImmediate as turn } from 'node:timers/promises'
import { advanceFlow, createFlow } from '@gatehouse/core'
import { createPasskeys } from '@gatehouse/core/passkeys'
import { createManualClock } from '@gatehouse/core/testing'
import { createMemoryStorage } from '@gatehouse/store-memory'
import { TOTP } from 'otpauth'
import { sections as longSections } from './operations.mjs'
import { createService, password, requestOf, stateOf } from './service.mjs'

/** @typedef {import('./service.mjs').FlowState} FlowState */
/** @typedef {import('./service.mjs').FlowInput} FlowInput */
/** @typedef {import('./service.mjs').CreateFlowParams['type']} FlowType */

/**
 * @typedef {object} StateSize
 * @property {string} config the configuration of the flow
 * @property {string} flow
 * @property {number} ways how many paths were taken
 * @property {number} bytes of the largest state
 */

const examples = new URL('../../examples/', import.meta.url)
const flowTypes = /** @type {const} */ (['signup', 'signup_login', 'login', 'account_recovery'])
/** No flow has this many steps; a path that reaches it is a loop. */
const maxSteps = 30
const maxWays = 1_000
/** A TOTP code is valid once; the next one comes after this time. */
const codeMs = 30_000

/** A user, signed up or about to be. */
class Person {
  /** @param {number} number */
  constructor(number) {
    this.email = `person${number}@harborlight.example`
    this.phone = `+6591${String(100_000 + number)}`
    this.username = `person${number}`
    /** @type {string | undefined} */
    this.totpKey = undefined
    /** @type {string[]} */
    this.recoveryCodes = []
  }

  /** @param {string} kind of a login id */
  loginId(kind) {
    return { email: this.email, phone: this.phone, username: this.username }[kind]
  }

  /** @param {number} timestamp */
  totp(timestamp) {
    return new TOTP({ secret: String(this.totpKey) }).generate({ timestamp })
  }
}

/**
 * The inputs that a state accepts.
 *
 * @param {FlowState} state
 * @param {Person} person
 * @param {{ now: number, codeTo: (target: string) => string }} world
 * @returns {FlowInput[]}
 */
function inputsAt({ action, type }, person, { now, codeTo }) {
  const { data } = action
  const makesNew = action.type === 'create_authenticator'
  const options = /** @type {any[]} */ (Array.isArray(data.options) ? data.options : [])
  const lastCode = () => codeTo(data.channel === 'email' ? person.email : person.phone)
  switch (action.type) {
    case 'identify':
      return options.flatMap(({ identification }) => {
        const login_id = person.loginId(identification)
        return login_id === undefined ? [] : [{ identification, login_id }]
      })
    case 'authenticate':
    case 'create_authenticator':
      if (options.length === 0) {
        if (data.secret !== undefined) person.totpKey = String(data.secret)
        return [{ code: data.secret === undefined ? lastCode() : person.totp(now) }]
      }
      return options.flatMap(({ authentication, channels }, index) => {
        const [channel] = channels ?? []
        if (authentication.endsWith('_password'))
          return [{ authentication, [makesNew ? 'new_password' : 'password']: password }]
        if (authentication.includes('_oob_otp_'))
          return [{ authentication, index, channel, ...(makesNew ? { target: person.email } : {}) }]
        if (authentication === 'secondary_totp')
          return [makesNew ? { authentication } : { authentication, code: person.totp(now) }]
        const recovery_code = person.recoveryCodes.pop()
        if (authentication === 'recovery_code' && recovery_code !== undefined)
          return [{ authentication, recovery_code }]
        return [] // a passkey needs a browser
      })
    case 'verify':
      return [{ code: lastCode() }]
    case 'view_recovery_code':
      person.recoveryCodes = /** @type {string[]} */ (data.recovery_codes).slice()
      return [{ confirm_recovery_code: true }]
    case 'prompt_create_passkey':
      return [{ skip: true }]
    case 'select_destination':
      return options.map((_, index) => ({ index }))
    case 'verify_account_recovery_code':
      return [{ account_recovery_code: lastCode() }]
    case 'reset_password':
      return [{ new_password: `${password}-again` }]
    default:
      throw new Error(`${type} is at ${action.type}: ${JSON.stringify(data)}`)
  }
}

/**
 * @param {string} name
 * @param {string | object} config
 * @param {readonly FlowType[]} types
 * @returns {Promise<StateSize[]>}
 */
async function sizesOf(name, config, types = flowTypes) {
  let largest = 0
  const clock = createManualClock()
  const storage = createMemoryStorage({ clock })
  /** @type {typeof storage} */
  const noted = {
    ...storage,
    commit(writes) {
      for (const { collection, value } of writes) {
        if (collection.name !== 'auth_states' || value === undefined) continue
        largest = Math.max(largest, Buffer.byteLength(JSON.stringify(value)))
      }
      return storage.commit(writes)
    },
  }
  const passkeys = createPasskeys()
  const { auth, outbox } = createService({}, { storage: noted, clock, config, passkeys })
  let people = 0
  let requests = 0

  /**
   * Follows one path to its end, by the number of the input at each step (default: the first).
   *
   * @param {FlowType} type
   * @param {readonly number[]} choices
   * @param {boolean} isKnown whether the person has signed up by the first path
   */
  const go = async (type, choices, isKnown) => {
    const person = new Person(++people)
    /** @type {number[]} how many inputs each step offered */
    const branches = []
    /** @param {FlowType} flowType @param {readonly number[]} chosen @param {boolean} counts */
    const walk = async (flowType, chosen, counts) => {
      const begin = { type: flowType, name: 'default' }
      let state = stateOf(await createFlow(auth, begin, requestOf(++requests)))
      for (let step = 0; state.action.type !== 'finished'; step++) {
        if (step === maxSteps) throw new Error(`${name}: a ${flowType} flow does not end`)
        clock.advance(codeMs)
        const inputs = inputsAt(state, person, { now: clock.now(), codeTo: outbox.codeTo })
        if (counts) branches.push(inputs.length)
        const input = inputs[chosen[step] ?? 0]
        if (input === undefined) return
        const sentBefore = outbox.messages.length
        const params = { state_token: state.state_token, input }
        state = stateOf(await advanceFlow(auth, params, requestOf(++requests)))
        // A recovery does not reveal whether an account exists: the message is sent after the answer.
        const hasMessage = () => outbox.messages.length > sentBefore
        while (state.action.type === 'verify_account_recovery_code' && !hasMessage()) await turn()
      }
    }
    const before = largest
    if (isKnown) await walk('signup', [], false)
    largest = before
    await walk(type, choices, true)
    return branches
  }

  const sizes = []
  for (const type of types) {
    largest = 0
    let ways = 0
    const isKnown = type !== 'signup' && type !== 'signup_login'
    /** @type {number[][]} */
    const left = [[]]
    for (let way = left.pop(); way !== undefined && ways < maxWays; way = left.pop()) {
      const branches = await go(type, way, isKnown)
      ways++
      for (let step = way.length; step < branches.length; step++) {
        for (let choice = 1; choice < branches[step]; choice++) {
          left.push([...way, ...Array(step - way.length).fill(0), choice])
        }
      }
    }
    sizes.push({ config: name, flow: type, ways, bytes: largest })
  }
  return sizes
}

/** @returns {Promise<StateSize[]>} */
export async function measureStateSizes() {
  const sizes = []
  for (const name of readdirSync(examples)) {
    const file = new URL(`${name}/authgear.yaml`, examples)
    if (!existsSync(file)) continue
    const origin = 'https://auth.example.com'
    const text = readFileSync(file, 'utf8').replaceAll(/\$\{PUBLIC_ORIGIN\}/g, origin)
    sizes.push(
      ...(await sizesOf(`examples/${name}`, text.replace(/http:\/\/localhost:\d+/, origin))),
    )
  }
  const config = { id: 'bench', http: { public_origin: 'https://auth.example.com' } }
  const long = { ...config, ...longSections }
  sizes.push(...(await sizesOf('the sign-up of 9 requests', long, ['signup'])))
  return sizes
}
