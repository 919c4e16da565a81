import {
  type Clients,
  callbackUri,
  createBrowser,
  emailOf,
  optionsOf,
  type Shown,
} from './clients.ts'
import type { StrangersEvent } from './plan.ts'

/** The owner of the sessions that a stranger gets. */
export const stranger = 'a stranger'
const strangersPassword = 'mine-mine-mine-42'

/** A stranger beside every person, who knows the address and has an own account at the provider. */
export function createStranger(clients: Clients): {
  act(event: Extract<StrangersEvent, { readonly kind: 'stranger' }>): void
} {
  const { cluster, seen, oauth } = clients
  const random = cluster.draw('stranger')
  const flows = new Map<number, Shown[]>()
  let addresses = 0
  /** Another address each time, so that no limit by address applies. */
  const anywhere = () =>
    createBrowser(clients, stranger, `10.0.${addresses >> 8}.${addresses++ & 255}`)

  /** Keeps a state, so that later actions can go on from it. */
  const keep = (person: number, state: Shown | undefined): Shown | undefined => {
    if (state !== undefined) flows.set(person, [...(flows.get(person) ?? []), state])
    return state
  }
  const begin = async (
    person: number,
    type: 'login' | 'signup' | 'account_recovery',
  ): Promise<void> => {
    const browser = anywhere()
    const start = await browser.begin(type)
    const named =
      start && (await browser.send(start, { identification: 'email', login_id: emailOf(person) }))
    const state = keep(person, named)
    if (state?.type === 'select_destination') keep(person, await browser.send(state, { index: 0 }))
    const [first] = state === undefined ? [] : optionsOf(state)
    const authentication = String(first?.authentication)
    if (authentication.includes('oob_otp'))
      keep(person, await browser.send(state as Shown, { authentication, index: 0 }))
  }
  /** Sends inputs to one of the flows, and takes every step that opens: a password of his own is next. */
  const tryOut = async (person: number, inputs: readonly object[]): Promise<void> => {
    const known = flows.get(person) ?? []
    if (known.length === 0) return
    const state = random.pick(known)
    for (const input of inputs) {
      const next = keep(person, await anywhere().send(state, { ...input }))
      if (next === undefined) continue
      const new_password = strangersPassword
      await anywhere().send(next, { authentication: 'primary_password', new_password })
      await anywhere().send(next, { new_password })
      await anywhere().send(next, { authentication: 'primary_oob_otp_email' })
    }
  }
  const leave = async (browser = anywhere()): Promise<Shown | undefined> => {
    const start = await browser.begin('login')
    const input = { identification: 'oauth', alias: 'google', redirect_uri: callbackUri }
    return start && browser.send(start, input)
  }
  const guess = (): string => String(random.between(0, 999_999)).padStart(6, '0')

  const acts: Record<
    Extract<StrangersEvent, { readonly kind: 'stranger' }>['act'],
    (person: number) => Promise<void>
  > = {
    login: (person) => begin(person, 'login'),
    signup: (person) => begin(person, 'signup'),
    recovery: (person) => begin(person, 'account_recovery'),
    resend: (person) => tryOut(person, [{ resend: true }]),
    codes: (person) =>
      tryOut(
        person,
        Array.from({ length: 4 }, guess).flatMap((code) => [
          { code },
          { account_recovery_code: code },
        ]),
      ),
    async check(person) {
      for (let times = 0; times < 40; times++) {
        await tryOut(person, [{ check: true }])
        await new Promise<void>((resolve) => cluster.timeline.schedule(1_000, 'polls', resolve))
      }
    },
    password: (person) =>
      tryOut(person, [{ authentication: 'primary_password', password: guess() }]),
    async passkey(person) {
      const browser = anywhere()
      const [start, { assertion } = {}] = [await browser.begin('login'), seen.get(person)]
      if (start !== undefined && assertion !== undefined) await browser.send(start, assertion)
    },
    async callback(person) {
      const browser = anywhere()
      const [away, { callback } = {}] = [await leave(browser), seen.get(person)]
      if (away !== undefined && callback !== undefined) await browser.send(away, callback)
    },
    async forge(person) {
      const away = await leave()
      if (away === undefined) return
      const account = { subject: stranger, email: 'eve@example.com', email_verified: true }
      const query = oauth.signIn(String(away.data.oauth_authorization_url), account)
      seen.set(person, { ...seen.get(person), forged: { query } })
    },
  }

  return {
    act({ act, person }) {
      cluster.tell(`${stranger}, for ${emailOf(person)}: ${act}`)
      acts[act](person).catch((error: unknown) => cluster.tell(`${stranger}: ${String(error)}`))
    },
  }
}
