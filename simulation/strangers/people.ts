import { approveLink } from '@gatehouse/core/auth'
import { findLink } from '../../packages/core/src/auth/kinds/oob-otp/find-link.ts'
import {
  assertionFor,
  type Clients,
  callbackUri,
  createBrowser,
  emailOf,
  firstPassword,
  optionsOf,
  type Shown,
} from './clients.ts'
import type { PersonAct } from './plan.ts'

/** A person who does one thing, and knows nothing of the stranger. */
export interface Person {
  readonly email: string
  readonly passwords: readonly string[]
  readonly wants: PersonAct
  readonly hasFinished: boolean
  /** Whether the code that was sent for her flow was refused as wrong. */
  readonly lostCode: boolean
}

const flowOf = {
  login: 'login',
  oauth: 'login',
  passkey: 'login',
  signup: 'signup',
  recovery: 'account_recovery',
} as const

/** So often does a person try to enter a code, or to open a link, before she gives up. */
const maxRounds = 20

/** Lets a person act. `userId` is absent before she has an account. */
export function actAs(clients: Clients, number: number, wants: PersonAct, userId = ''): Person {
  const { cluster, mailboxes, seen, oauth } = clients
  const { timeline, tell, draw } = cluster
  const random = draw(`person ${number}`)
  const email = emailOf(number)
  const browser = createBrowser(clients, email, `192.0.2.${number + 1}`)
  const person = { email, wants, passwords: [firstPassword], hasFinished: false, lostCode: false }
  const wait = (ms: number): Promise<void> =>
    new Promise((resolve) => timeline.schedule(ms, `${email} waits`, resolve))

  /** Opens the newest link whose page shows this browser. */
  const openLink = async (): Promise<void> => {
    const links = (mailboxes.get(email) ?? []).flatMap(({ link }) => link ?? []).reverse()
    const machine = cluster.machines.find(({ life }) => life !== undefined)
    for (const link of machine === undefined ? [] : links) {
      const code = new URL(link).searchParams.get('code') ?? ''
      const ofOwn = await cluster.ask(machine as NonNullable<typeof machine>, async (auth) => {
        const found = await findLink(auth, code)
        if (found?.request?.ip !== browser.ip || found.state !== 'good') return false
        await approveLink(auth, code).catch(() => {})
        return true
      })
      if (ofOwn) return
    }
  }

  /** The code of the only message that came while her flow asked for one. */
  let ownCode: string | undefined
  const askForCode = async (state: Shown, input: object): Promise<Shown | undefined> => {
    const before = (mailboxes.get(email) ?? []).length
    const next = await browser.send(state, { ...input })
    const [only, ...others] = (mailboxes.get(email) ?? []).slice(before)
    ownCode =
      next?.data.otp_form === 'code' && others.length === 0 ? (only?.code ?? undefined) : undefined
    return next
  }

  /** One round of proving the mailbox; types the newest codes, because she cannot know which one is hers. */
  const prove = async (state: Shown): Promise<Shown | undefined> => {
    // A person who is slow reads the mail when others may have asked for one too.
    const isSlow = ownCode !== undefined && random.chance(0.4)
    await wait(isSlow ? random.between(61_000, 120_000) : random.between(2_000, 8_000))
    if (state.data.otp_form === 'link' && state.type !== 'verify_account_recovery_code') {
      await openLink()
      await wait(random.between(1_000, 4_000))
      return browser.send(state, { check: true })
    }
    const newest = (mailboxes.get(email) ?? []).slice(-3).reverse()
    const name = state.type === 'verify_account_recovery_code' ? 'account_recovery_code' : 'code'
    if (ownCode !== undefined && name === 'code') {
      const own = await browser.send(state, { code: ownCode })
      if (own !== undefined) return own
      person.lostCode ||= browser.refusedWith === 401
      ownCode = undefined
    }
    for (const { code, link } of newest) {
      const text = code ?? (link === undefined ? null : new URL(link).searchParams.get('code'))
      const next = text === null ? undefined : await browser.send(state, { [name]: text })
      if (next !== undefined) return next
    }
    return undefined
  }

  /** Asks for another code as soon as that is possible. */
  const askAgain = async (state: Shown): Promise<Shown> => {
    await wait(random.between(500, 2_000))
    return (await browser.send(state, { resend: true })) ?? state
  }

  const step = async (state: Shown): Promise<Shown | undefined> => {
    const { type, data } = state
    if (data.type === 'verify_oob_otp_data' || data.type === 'account_recovery_verify_code_data') {
      let current = state
      for (let round = 0; round < maxRounds; round++) {
        const next = await prove(current)
        if (next !== undefined) return next
        current = await askAgain(current)
      }
      return undefined
    }
    if (type === 'identify' && wants === 'passkey') {
      const options = optionsOf(state).find((one) => one.identification === 'passkey')
      const { challenge } = Object(options?.request_options)
      const input = assertionFor(number, challenge, userId)
      seen.set(number, { ...seen.get(number), assertion: input })
      await wait(random.between(1_000, 30_000))
      return browser.send(state, input)
    }
    if (type === 'identify' && wants === 'oauth') {
      const input = { identification: 'oauth', alias: 'google', redirect_uri: callbackUri }
      const away = await browser.send(state, input)
      if (away === undefined) return undefined
      const account = { subject: email, email, email_verified: true }
      const query = oauth.signIn(String(away.data.oauth_authorization_url), account)
      seen.set(number, { ...seen.get(number), callback: { query } })
      await wait(random.between(1_000, 30_000))
      const { forged } = seen.get(number) ?? {}
      const taken = forged && (await browser.send(away, forged))
      return taken ?? browser.send(away, { query })
    }
    if (type === 'identify')
      return browser.send(state, { identification: 'email', login_id: email })
    if (type === 'prompt_create_passkey') return browser.send(state, { skip: true })
    if (type === 'select_destination') return browser.send(state, { index: 0 })
    const [first] = optionsOf(state)
    const authentication = String(first?.authentication)
    const new_password = `copper-meadow-${number}`
    if (
      type === 'reset_password' ||
      (type === 'create_authenticator' && authentication === 'primary_password')
    ) {
      person.passwords.push(new_password)
      const which = type === 'reset_password' ? {} : { authentication }
      return browser.send(state, { ...which, new_password })
    }
    if (type === 'create_authenticator') return browser.send(state, { authentication })
    if (type !== 'authenticate' || first === undefined) return undefined
    if (authentication === 'primary_password') {
      return browser.send(state, { authentication, password: firstPassword })
    }
    return askForCode(state, { authentication, index: 0 })
  }

  const act = async (): Promise<void> => {
    tell(`${email}: wants ${wants}`)
    let state: Shown | undefined
    // Who spends the code of a provider that was taken from her ends her sign-in, so she begins again.
    for (let attempt = 0; attempt < (wants === 'oauth' ? 3 : 1) && state === undefined; attempt++) {
      state = await browser.begin(flowOf[wants])
      while (state !== undefined && state.type !== 'finished') state = await step(state)
    }
    person.hasFinished = state !== undefined
    tell(`${email}: ${state === undefined ? 'gives up' : 'has finished'} ${wants}`)
  }
  act().catch((error: unknown) => tell(`${email}: ${String(error)}`))
  return person
}
