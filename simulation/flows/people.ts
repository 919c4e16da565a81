import type { AuthContext, FlowInput, FlowResult, RequestContext } from '@gatehouse/core/auth'
import { advanceFlow, createFlow } from '@gatehouse/core/auth'
import type { Cluster } from '../cluster.ts'
import type { FlowsEvent } from './plan.ts'

/** An acknowledged action of a person. */
export interface Acknowledged {
  readonly kind: 'signup' | 'verify' | 'login' | 'recover' | 'create'
  /** Concurrent actions of one race share a number. */
  readonly race: number
  readonly at: number
  readonly email: string
  /** The password that is valid from then on. */
  readonly password?: string
}

/** A requested password that may be valid. */
export interface AskedPassword {
  readonly email: string
  readonly password: string
}

/** The actions of people and the answers they get. */
export interface People {
  readonly acknowledged: readonly Acknowledged[]
  readonly asked: readonly AskedPassword[]
  /** Results that are neither an expected answer nor a refusal. */
  readonly surprises: readonly string[]
  /** Delivers a code. */
  receive(email: string, code: string): void
  act(event: Extract<FlowsEvent, { readonly racers: number }>): void
  /** Tries to log in, and returns whether that worked. */
  login(email: string, password: string): Promise<boolean>
}

export const emailOf = (person: number): string => `person${person}@example.com`
export const firstPassword = 'tidal-lantern-42'

/** How long a person waits for an answer, in ms. */
const timeoutMs = 10_000

class GaveUp extends Error {}

/** People who have done nothing yet. */
export function createPeople({
  timeline,
  machines,
  draw,
  ask,
  tell,
}: Cluster<AuthContext>): People {
  const random = draw('people')
  const acknowledged: Acknowledged[] = []
  const asked: AskedPassword[] = []
  const codes = new Map<string, string>()
  const surprises: string[] = []
  let races = 0
  let addresses = 0
  /** A new address for each request, so that no per-address limit applies. */
  const anywhere = (): RequestContext => ({ ip: `10.0.${addresses >> 8}.${addresses++ & 255}` })
  const giveUp = (error: unknown): void => {
    if (!(error instanceof GaveUp)) surprises.push(String(error))
  }

  const within = <T>(answer: Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      const cancel = timeline.schedule(timeoutMs, 'gives up', () => reject(new GaveUp()))
      answer.then(resolve, () => reject(new GaveUp())).finally(cancel)
    })

  const call = async (work: (auth: AuthContext) => Promise<FlowResult>): Promise<FlowResult> => {
    const running = machines.filter(({ life }) => life !== undefined)
    if (running.length === 0) throw new GaveUp()
    return within(ask(random.pick(running), work))
  }
  const next = async (
    token: string,
    input: FlowInput,
  ): Promise<{ token: string; type: string }> => {
    const result = await call((auth) =>
      advanceFlow(auth, { state_token: token, input }, anywhere()),
    )
    if (!result.ok) throw new GaveUp(result.error.reason)
    return { token: result.result.state_token, type: result.result.action.type }
  }
  const begin = async (
    type: 'signup' | 'login' | 'account_recovery',
    request: RequestContext = anywhere(),
  ): Promise<string> => {
    const result = await call((auth) => createFlow(auth, { type, name: 'default' }, request))
    if (!result.ok) throw new GaveUp(result.error.reason)
    return result.result.state_token
  }
  const codeFor = async (email: string): Promise<string> => {
    for (let waits = 0; waits < 20; waits++) {
      const code = codes.get(email)
      if (code !== undefined) return code
      await new Promise<void>((resolve) => timeline.schedule(250, 'waits for a code', resolve))
    }
    throw new GaveUp()
  }

  /** Runs an action several times at once; people who give up report nothing. */
  const race = (count: number, act: (racer: number) => Promise<void>): void => {
    for (let racer = 0; racer < count; racer++) {
      timeline.schedule(random.between(0, 20), 'acts', () => {
        act(racer).catch(giveUp)
      })
    }
  }
  const acknowledge = (one: Omit<Acknowledged, 'at'>): void => {
    acknowledged.push({ ...one, at: timeline.now })
    const { kind, email, password } = one
    if (kind !== 'create')
      tell(`${email}: ${kind} is acknowledged${password ? ` with ${password}` : ''}`)
  }

  const signUp = async (email: string, number: number, racer: number): Promise<void> => {
    const identified = await next(await begin('signup'), {
      identification: 'email',
      login_id: email,
    })
    await finishSignUp(identified.token, { email, number, racer })
  }

  const finishSignUp = async (
    token: string,
    { email, number, racer }: { email: string; number: number; racer: number },
  ): Promise<void> => {
    const password = `copper-meadow-${number}-${racer}`
    asked.push({ email, password })
    const state = await next(token, { authentication: 'primary_password', new_password: password })
    if (state.type === 'finished') acknowledge({ kind: 'signup', race: number, email, password })
  }

  const acts: Record<
    'signup' | 'verify' | 'login' | 'recover' | 'create',
    (about: { email: string; number: number; racers: number }) => Promise<void>
  > = {
    async signup({ email, number, racers }) {
      race(racers, (racer) => signUp(email, number, racer))
    },

    async verify({ email, number, racers }) {
      codes.delete(email)
      const asksForCode = await next(await begin('signup'), {
        identification: 'phone',
        login_id: phoneOf(email),
      })
      const code = await codeFor(phoneOf(email))
      race(racers, async (racer) => {
        const state = await next(asksForCode.token, { code })
        acknowledge({ kind: 'verify', race: number, email })
        await finishSignUp(state.token, { email: phoneOf(email), number, racer })
      })
    },

    async login({ email, number, racers }) {
      const state = await next(await begin('login'), { identification: 'email', login_id: email })
      const input = { authentication: 'primary_password', password: firstPassword }
      race(racers, async () => {
        const { type } = await next(state.token, input)
        if (type === 'finished') acknowledge({ kind: 'login', race: number, email })
      })
    },

    async recover({ email, number, racers }) {
      codes.delete(email)
      const named = await next(await begin('account_recovery'), {
        identification: 'email',
        login_id: email,
      })
      const sent = await next(named.token, { index: 0 })
      const code = await codeFor(email)
      const reset = await next(sent.token, { account_recovery_code: code })
      race(racers, async (racer) => {
        const password = `silver-harbor-${number}-${racer}`
        asked.push({ email, password })
        const { type } = await next(reset.token, { new_password: password })
        if (type === 'finished') acknowledge({ kind: 'recover', race: number, email, password })
      })
    },

    async create({ email, number, racers }) {
      race(racers, async () => {
        await begin('login', { ip: `192.0.2.${number}` })
        acknowledge({ kind: 'create', race: number, email })
      })
    },
  }

  return {
    acknowledged,
    asked,
    surprises,
    receive: (email, code) => void codes.set(email, code),
    act({ kind, person, racers }) {
      const number = races++
      const email = emailOf(person)
      tell(`${email}: ${kind}, ${racers} at once`)
      acts[kind]({ email, number, racers }).catch(giveUp)
    },
    async login(email, password) {
      const identification = email.startsWith('+') ? 'phone' : 'email'
      const state = await next(await begin('login'), { identification, login_id: email })
      const { type } = await next(state.token, {
        authentication: 'primary_password',
        password,
      }).catch(() => ({ type: 'refused' }))
      return type === 'finished'
    },
  }
}

/** The phone number of the person with this address. */
const phoneOf = (email: string): string => `+659123456${email.replace(/\D/g, '')}`
