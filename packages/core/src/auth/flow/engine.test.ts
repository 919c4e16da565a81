import { describe, expect, it } from 'vitest'
import { configWith } from '../config/config.fixture.ts'
import type { FlowDefinition, Step } from '../config/flow-definition.ts'
import { authError } from '../errors.ts'
import type { Asking } from './asking.ts'
import { answerAll, type Question } from './asking.ts'
import {
  type Advanced,
  acceptInput,
  initialState,
  isFinished,
  settle,
  showState,
} from './engine.ts'
import type { FlowKinds } from './kinds.ts'
import type { FlowSnapshot } from './state.ts'
import type { FlowInput, FlowView, NodeHandler, Reaction, StepHandler } from './view.ts'

const config = configWith()

/** A step of these tests; its name is the name of its prompt. */
const step = (name: string): Step => ({ type: 'view_recovery_code', name })

interface Prompt {
  readonly class?: NodeHandler['class']
  /** The reaction to an input (default: the step is done). */
  react?(input: FlowInput, view: FlowView): Reaction
}

/** Kinds with one type of step. It prompts by its name, or ends at once if its name is not among the prompts. */
function kindsOf(prompts: { readonly [name: string]: Prompt }): FlowKinds {
  const handler: StepHandler = {
    type: 'view_recovery_code',
    *enter({ name = '' }) {
      if (name === 'skipped') return 'skip'
      if (name === 'refused') throw authError('Forbidden', 'Refused', 'refused')
      if (!(name in prompts)) return { facts: [fact(name)] }
      return { node: { kind: name }, effects: [effect(name)] }
    },
  }
  const nodes = Object.entries(prompts).map(([kind, prompt]): NodeHandler => {
    return {
      kind,
      class: prompt.class ?? 'other',
      *show() {
        return { data: { asks: kind } }
      },
      schema: () => ({ type: 'object', required: [kind] }),
      *react(_node, input, view) {
        return prompt.react?.(input, view) ?? { facts: [fact(kind)] }
      },
    }
  })
  return {
    steps: new Map([[handler.type, handler]]),
    nodes: new Map(nodes.map((node) => [node.kind, node])),
    identifications: new Map(),
    authenticators: new Map(),
    ports: new Map(),
    listedFactors: new Set(),
    afterSecondFactor: () => [],
  }
}

const fact = (hash: string) => ({ kind: 'recovery_code_used', hash }) as const
const effect = (user_id: string) => ({ kind: 'create_device_token', user_id }) as const

const flowOf = (...names: readonly string[]): FlowDefinition => ({
  type: 'login',
  name: 'default',
  steps: names.map(step),
})

function viewOf(state: FlowSnapshot, flows: readonly FlowDefinition[] = []): FlowView {
  return {
    config,
    now: 0,
    request: {
      ip: '192.0.2.1',
      user_agent: null,
      languages: [],
      session_token: null,
      device_tokens: [],
    },
    session: {
      flow_id: 'f1',
      root: { type: 'login', name: 'default' },
      created_at: 0,
      client_id: null,
      ui_locales: null,
      state: null,
      x_state: null,
      authorization: null,
    },
    memory: { is_bot_protection_passed: false },
    has_hook: false,
    state,
    flow: (type, name) => flows.find((flow) => flow.type === type && flow.name === name),
  }
}

/** The only question of the rules in these tests is for the id of a new user. */
function run<T>(rules: Asking<T>): T {
  let turn: IteratorResult<Question, T> = rules.next()
  while (!turn.done) {
    if (turn.value.name !== 'uuid') throw new Error(`nobody answers "${turn.value.name}"`)
    turn = rules.next('u1')
  }
  return turn.value
}

const begin = (kinds: FlowKinds, definition: FlowDefinition): Advanced =>
  run(settle(viewOf(initialState('f1', definition)), kinds))
const feed = (kinds: FlowKinds, state: FlowSnapshot, input: FlowInput): Advanced =>
  run(acceptInput(viewOf(state), kinds, input))
const asked = (kinds: FlowKinds, state: FlowSnapshot): unknown =>
  Reflect.get(run(showState(viewOf(state), kinds)).action.data, 'asks')
const established = ({ facts }: FlowSnapshot): readonly string[] =>
  facts.flatMap((one) => (one.kind === 'recovery_code_used' ? [one.hash] : []))

describe('a flow', () => {
  it('passes over steps without a prompt to the first with one', () => {
    const kinds = kindsOf({ name: {} })
    const { state, effects } = begin(kinds, flowOf('silent', 'skipped', 'name', 'after'))
    expect(established(state)).toEqual(['silent'])
    expect(asked(kinds, state)).toBe('name')
    expect(effects).toEqual([effect('name')])
    expect(state.entered.map(({ name }) => name)).toEqual(['silent', 'name'])
  })

  it('ends when no step is left', () => {
    const kinds = kindsOf({ name: {} })
    const { state } = begin(kinds, flowOf('name', 'silent'))
    expect(isFinished(state)).toBe(false)
    const end = feed(kinds, state, { name: 1 }).state
    expect(isFinished(end)).toBe(true)
    expect(established(end)).toEqual(['name', 'silent'])
    expect(run(showState(viewOf(end), kinds)).action).toEqual({ type: 'finished', data: {} })
  })

  it('does not change the state that an input was fed to', () => {
    const kinds = kindsOf({ name: {}, colour: {} })
    const { state } = begin(kinds, flowOf('name', 'colour'))
    const before = JSON.stringify(state)
    const one = feed(kinds, state, { name: 1 }).state
    const other = feed(kinds, state, { name: 2 }).state
    expect(JSON.stringify(state)).toBe(before)
    expect(one).toEqual(other)
  })

  it('is refused if it has too many steps and facts', () => {
    const kinds = kindsOf({})
    const names = Array.from({ length: 600 }, (_, index) => `silent ${index}`)
    expect(() => begin(kinds, flowOf(...names))).toThrow(/at most 500/)
  })

  it('throws a TypeError if a step or a prompt is unknown', () => {
    const empty: FlowKinds = { ...kindsOf({}), steps: new Map() }
    expect(() => begin(empty, flowOf('name'))).toThrow(TypeError)
    const kinds = kindsOf({ name: {} })
    const { state } = begin(kinds, flowOf('name'))
    expect(() => asked({ ...kinds, nodes: new Map() }, state)).toThrow(TypeError)
  })
})

describe('steps nested in a choice', () => {
  it('run right after their own step, before the following ones, at any depth', () => {
    const kinds = kindsOf({
      way: { react: () => ({ steps: [step('inner'), step('late inner')] }) },
      inner: { react: () => ({ steps: [step('innermost')] }) },
    })
    let { state } = begin(kinds, flowOf('way', 'outer'))
    state = feed(kinds, state, { way: 1 }).state
    state = feed(kinds, state, { inner: 1 }).state
    expect(established(state)).toEqual(['innermost', 'late inner', 'outer'])
    expect(isFinished(state)).toBe(true)
  })

  it('wait until a step with several prompts is done', () => {
    const kinds = kindsOf({
      way: { react: () => ({ node: { kind: 'detail' }, steps: [step('inner')] }) },
      detail: {},
    })
    let { state } = begin(kinds, flowOf('way', 'outer'))
    state = feed(kinds, state, { way: 1 }).state
    expect(asked(kinds, state)).toBe('detail')
    expect(established(state)).toEqual([])
    state = feed(kinds, state, { detail: 1 }).state
    expect(established(state)).toEqual(['detail', 'inner', 'outer'])
  })
})

describe('a flow that becomes another one', () => {
  const signup: FlowDefinition = { type: 'signup', name: 'short', steps: [step('name')] }

  it('drops its remaining steps, and the other flow gets the same input', () => {
    const kinds = kindsOf({
      way: { class: 'identification', react: () => ({ become: signup }) },
      name: {},
    })
    const { state } = begin(kinds, flowOf('way', 'never'))
    const end = feed(kinds, state, { way: 1, name: 'x' }).state
    expect(end).toMatchObject({ type: 'signup', name: 'short' })
    expect(established(end)).toEqual(['name'])
    expect(isFinished(end)).toBe(true)
    const half = feed(kinds, state, { way: 1 }).state
    expect(run(showState(viewOf(half), kinds))).toMatchObject({ type: 'signup', name: 'short' })
    expect(half.entered.map(({ name }) => name)).toEqual(['name'])
  })
})

describe('an input', () => {
  it('answers several prompts of different classes', () => {
    const kinds = kindsOf({
      identification: { class: 'identification' },
      password: { class: 'authentication' },
      code: { class: 'otp' },
    })
    const { state } = begin(kinds, flowOf('identification', 'password', 'code'))
    const { state: end } = feed(kinds, state, { identification: 1, password: 1, code: 1 })
    expect(established(end)).toEqual(['identification', 'password', 'code'])
  })

  it('answers only one prompt of a class, so that one code is not used for two', () => {
    const kinds = kindsOf({ code: { class: 'otp' }, name: {} })
    const { state } = begin(kinds, flowOf('code', 'name', 'code'))
    const half = feed(kinds, state, { code: 1, name: 1 }).state
    expect(established(half)).toEqual(['code', 'name'])
    expect(asked(kinds, half)).toBe('code')
  })

  it('that matches the first prompt but not the next stops at the next', () => {
    const kinds = kindsOf({ name: {}, code: { class: 'otp' } })
    const { state } = begin(kinds, flowOf('name', 'code'))
    expect(asked(kinds, feed(kinds, state, { name: 1, other: 1 }).state)).toBe('code')
  })

  it('that does not match the first prompt is refused, with the type of the flow', () => {
    const kinds = kindsOf({ name: {} })
    const { state } = begin(kinds, flowOf('name'))
    expect(() => feed(kinds, state, { other: 1 })).toThrow(
      expect.objectContaining({
        reason: 'ValidationFailed',
        info: {
          FlowType: 'login',
          causes: [
            {
              location: '',
              kind: 'required',
              details: { actual: ['other'], expected: ['name'], missing: ['name'] },
            },
          ],
        },
      }),
    )
  })

  it('that the second prompt refuses has no effect on the first', () => {
    const refuse = (): never => {
      throw authError('Unauthorized', 'InvalidCredentials', 'wrong')
    }
    const kinds = kindsOf({
      identification: { class: 'identification' },
      password: { class: 'authentication', react: refuse },
    })
    const { state } = begin(kinds, flowOf('identification', 'password'))
    const before = JSON.stringify(state)
    expect(() => feed(kinds, state, { identification: 1, password: 1 })).toThrow(
      expect.objectContaining({ reason: 'InvalidCredentials', info: { FlowType: 'login' } }),
    )
    expect(JSON.stringify(state)).toBe(before)
    expect(established(state)).toEqual([])
  })

  it('that leads to a refusing step is refused', () => {
    const kinds = kindsOf({ name: {} })
    const { state } = begin(kinds, flowOf('name', 'refused'))
    expect(() => feed(kinds, state, { name: 1 })).toThrow(
      expect.objectContaining({ reason: 'Refused', info: { FlowType: 'login' } }),
    )
  })

  it('collects the effects of all prompts and steps it passes', () => {
    const kinds = kindsOf({
      name: { react: () => ({ effects: [effect('by name')] }) },
      colour: { class: 'password', react: () => ({ effects: [effect('by colour')] }) },
      code: { class: 'otp' },
    })
    const { state } = begin(kinds, flowOf('name', 'colour', 'code'))
    const { effects } = feed(kinds, state, { name: 1, colour: 1 })
    expect(effects).toEqual(['by name', 'colour', 'by colour', 'code'].map(effect))
  })

  it('stops if it keeps leading to the same prompt', () => {
    const again: Prompt = { class: 'other', react: () => ({ node: { kind: 'name' } }) }
    const kinds = kindsOf({ name: again })
    const { state } = begin(kinds, flowOf('name'))
    expect(asked(kinds, feed(kinds, state, { name: 1 }).state)).toBe('name')
  })
})

describe('the outcome of a step', () => {
  it('is visible to later steps, notes included', () => {
    const seen: unknown[] = []
    const kinds = kindsOf({
      who: {
        class: 'identification',
        react: () => ({ entered: { identity_id: 'i1' }, notes: { colour: 'red' } }),
      },
      what: {
        react: (_input, { state }) => {
          seen.push(state.entered, state.notes)
          return { notes: { colour: 'blue' } }
        },
      },
    })
    const { state } = begin(kinds, flowOf('who', 'what'))
    const end = feed(kinds, state, { who: 1, what: 1 }).state
    expect(seen).toEqual([
      [
        { type: 'view_recovery_code', name: 'who', identity_id: 'i1' },
        { type: 'view_recovery_code', name: 'what' },
      ],
      { colour: 'red' },
    ])
    expect(end.notes).toEqual({ colour: 'blue' })
  })
})

describe('rules', () => {
  it('receive the failure of an answer where they asked', async () => {
    function* rules(): Asking<string> {
      try {
        yield { name: 'n', ask: 1 }
        return 'answered'
      } catch (error) {
        return String(error)
      }
    }
    const failing = () => Promise.reject(new Error('away'))
    expect(await answerAll<string>(rules(), () => () => failing)).toBe('Error: away')
    expect(await answerAll<string>(rules(), () => () => (ask: unknown) => ask)).toBe('answered')
  })
})
