import type { Context } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import type { Problem } from './problem.ts'

/** A step of a running flow. */
export interface Step {
  /** Takes the next input. Secret. */
  readonly token: string
  /** The query of the page that began the flow: empty, or with its `?`. */
  readonly query: string
}

/** What the page of a step shows once: the problems of a refused input, and the typed text. */
export interface Notice {
  /** Which form of the page was sent. */
  readonly form: string
  readonly problems: readonly Problem[]
  readonly typed: ReadonlyMap<string, string>
}

/**
 * Keeps running flows in cookies of the browser, and nothing on the server. No address and no page contains a token: a cookie
 * holds it that is sent only to the page of its step. So each step has an address that works with "back", with a reload and
 * beside others, and that is useless in another browser.
 */
export interface StepCookies {
  /** Redirects the browser to the page of a step. */
  show(c: Context, step: Step, notice?: Notice): Response
  /** The step of the requested page; `undefined` if another browser has it, or if it expired. */
  current(c: Context): Step | undefined
  /** Redirects the browser back to the page it came from. */
  showAgain(c: Context, notice: Notice): Response
  takeNotice(c: Context): Notice
  /** Keeps a step while the browser is at an identity provider; returns the `state` for the provider. */
  leave(c: Context, step: Step): string
  /** The step that was kept with a `state`, once; `undefined` if this browser did not leave with it. */
  comeBack(c: Context, state: string): Step | undefined
}

/** The callback path for identity providers. */
export const callbackPath = '/oauth/callback'

/** As long as the service keeps a flow. */
const stepSeconds = 20 * 60
/** Browsers drop a cookie of more than 4096 bytes. */
const longestNotice = 2_000
const mostProblems = 10
/** The fields to fill in again. Secrets are left out, since they would be in a cookie. */
const typedAgain = /^(?:login_id|target|\/.*)$/

export function createStepCookies(origin: string): StepCookies {
  // `Lax`, because people arrive from links in mails and from identity providers.
  const base = { httpOnly: true, sameSite: 'Lax', secure: origin.startsWith('https:') } as const

  function setNotice(c: Context, path: string, notice: Notice): void {
    setCookie(c, 'notice', formatNotice(notice), { ...base, path, maxAge: 60 })
  }

  return {
    show(c, step, notice) {
      const path = `/step/${crypto.randomUUID()}`
      setCookie(c, 'step', formatStep(step), { ...base, path, maxAge: stepSeconds })
      if (notice !== undefined) setNotice(c, path, notice)
      return c.redirect(path, 303)
    },
    current: (c) => parseStep(getCookie(c, 'step')),
    showAgain(c, notice) {
      setNotice(c, c.req.path, notice)
      return c.redirect(c.req.path, 303)
    },
    takeNotice(c) {
      const notice = getCookie(c, 'notice')
      if (notice !== undefined) deleteCookie(c, 'notice', { ...base, path: c.req.path })
      return parseNotice(notice ?? '')
    },
    leave(c, step) {
      const state = crypto.randomUUID()
      const kept = { ...base, path: callbackPath, maxAge: stepSeconds }
      setCookie(c, `oauth_${state}`, formatStep(step), kept)
      return state
    },
    comeBack(c, state) {
      const name = `oauth_${state}`
      const step = /^[\da-f-]{36}$/.test(state) ? parseStep(getCookie(c, name)) : undefined
      if (step !== undefined) deleteCookie(c, name, { ...base, path: callbackPath })
      return step
    },
  }
}

const formatStep = ({ token, query }: Step): string => `${token}${query}`

function parseStep(text = ''): Step | undefined {
  const [token = ''] = text.split('?', 1)
  return token === '' ? undefined : { token, query: text.slice(token.length) }
}

/** Encodes a notice as a query. Leaves out the typed text if it is too long. */
function formatNotice({ form, problems, typed }: Notice): string {
  const short = new URLSearchParams({ _form: form })
  for (const { code, field = '', amount = '' } of problems.slice(0, mostProblems)) {
    short.append('_problem', [code, field, amount].join(' '))
  }
  const all = new URLSearchParams(short)
  for (const [name, value] of typed) if (typedAgain.test(name)) all.append(name, value)
  return encodeURIComponent(`${all}`).length > longestNotice ? `${short}` : `${all}`
}

function parseNotice(text: string): Notice {
  const query = new URLSearchParams(text)
  const problems = query.getAll('_problem').map((one): Problem => {
    const [code = '', field = '', amount = ''] = one.split(' ')
    const isAbout = field === '' ? {} : { field }
    return { code, ...isAbout, ...(amount === '' ? {} : { amount: Number(amount) }) }
  })
  return {
    form: query.get('_form') ?? '',
    problems,
    typed: new Map([...query].filter(([name]) => typedAgain.test(name))),
  }
}
