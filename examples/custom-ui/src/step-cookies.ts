import type { Context } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import type { Problem } from './problem.ts'

/** A step of a flow under way. */
export interface Step {
  /** Takes the next input. A secret. */
  readonly token: string
  /** What the page that began the flow was asked with: empty, or with its `?`. */
  readonly query: string
}

/** What the page of a step shows once: why an input was refused, and what was typed. */
export interface Notice {
  /** Which of the page's forms was sent. */
  readonly form: string
  readonly problems: readonly Problem[]
  readonly typed: ReadonlyMap<string, string>
}

/**
 * Where the pages keep what is under way: in cookies of the browser, nothing in the server. A token is in no address and on no
 * page. It is a cookie that is sent to the page of its step alone, so each step has an address that can be gone back to,
 * reloaded, and open beside others, and that is worth nothing in another browser.
 */
export interface StepCookies {
  /** Sends the browser to the page of a step. */
  show(c: Context, step: Step, notice?: Notice): Response
  /** The step of the page that is asked for; `undefined` if it is not this browser's, or too old. */
  current(c: Context): Step | undefined
  /** Sends the browser back to the page it comes from. */
  showAgain(c: Context, notice: Notice): Response
  takeNotice(c: Context): Notice
  /** Keeps a step while the browser is at an identity provider; answers the `state` to send along. */
  leave(c: Context, step: Step): string
  /** The step that was left with a `state`, once; `undefined` if this browser did not leave with it. */
  comeBack(c: Context, state: string): Step | undefined
}

/** Where identity providers send the browser back to. */
export const callbackPath = '/oauth/callback'

/** As long as the service keeps a flow. */
const stepSeconds = 20 * 60
/** Browsers drop a cookie of more than 4096 bytes. */
const longestNotice = 2_000
const mostProblems = 10
/** What is written into fields again. No secret is: it would stand in a cookie. */
const typedAgain = /^(?:login_id|target|\/.*)$/

export function createStepCookies(origin: string): StepCookies {
  // `Lax`, as people come from links in mails and from identity providers.
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

/** A notice in the form of a query, which everything can be read as. */
function formatNotice({ form, problems, typed }: Notice): string {
  const told = new URLSearchParams({ _form: form })
  for (const { code, field = '', amount = '' } of problems.slice(0, mostProblems)) {
    told.append('_problem', [code, field, amount].join(' '))
  }
  const all = new URLSearchParams(told)
  for (const [name, value] of typed) if (typedAgain.test(name)) all.append(name, value)
  return encodeURIComponent(`${all}`).length > longestNotice ? `${told}` : `${all}`
}

function parseNotice(text: string): Notice {
  const told = new URLSearchParams(text)
  const problems = told.getAll('_problem').map((one): Problem => {
    const [code = '', field = '', amount = ''] = one.split(' ')
    const isAbout = field === '' ? {} : { field }
    return { code, ...isAbout, ...(amount === '' ? {} : { amount: Number(amount) }) }
  })
  return {
    form: told.get('_form') ?? '',
    problems,
    typed: new Map([...told].filter(([name]) => typedAgain.test(name))),
  }
}
