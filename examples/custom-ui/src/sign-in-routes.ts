import { type Context, Hono } from 'hono'
import { html } from 'hono/html'
import type { FlowAnswer, FlowClient, FlowInput } from './flow-client.ts'
import { layout, messagePage } from './pages/layout.ts'
import { renderStep } from './pages/render-step.ts'
import { problemsOf } from './problem.ts'
import { readInput } from './read-input.ts'
import { callbackPath, createStepCookies, type Notice } from './step-cookies.ts'
import { defaultProfileFields } from './steps/profile.ts'
import type { Field } from './steps/step-page.ts'
import { stepPageOf } from './steps/step-page-of.ts'
import { wordsOf } from './words.ts'

/** Options of {@link signInRoutes}. */
export interface SignInOptions {
  readonly flows: FlowClient
  /** The origin of these pages, as browsers see it. */
  readonly origin: string
  /** The fields of `fill_in_user_profile` (default: the person's names). */
  readonly profileFields?: readonly Field[]
  /** In ms since the Unix epoch (default: the system clock). */
  readonly now?: () => number
}

/** The pages that begin a flow, with its type. */
const beginnings = { '/signup': 'signup', '/login': 'login', '/recover': 'account_recovery' }

const stepPath = '/step/:id{[\\da-f-]{36}}'

/**
 * The pages of sign-up, sign-in and recovery. Each step is a page with a form. A refused form leads back to the page with its
 * problems; an accepted one redirects to the page of the next step, so a reload sends nothing again.
 */
export function signInRoutes(options: SignInOptions): Hono {
  const { flows, origin, profileFields = defaultProfileFields, now = Date.now } = options
  const steps = createStepCookies(origin)
  const app = new Hono()

  for (const [path, type] of Object.entries(beginnings)) {
    app.get(path, async (c) => {
      const query = new URL(c.req.url).search
      const answer = await flows.create(c, type, query)
      return answer.ok ? goOn(c, answer, query) : refuse(c, answer, 'This cannot be done')
    })
  }

  app.get(stepPath, async (c) => {
    const step = steps.current(c)
    const answer = step && (await flows.read(c, step.token))
    if (step === undefined || !answer?.ok) return expired(c)
    const setting = {
      now: now(),
      redirectUri: `${origin}${callbackPath}`,
      leave: () => steps.leave(c, step),
      links: {
        signUp: ['Create an account', `/signup${step.query}`],
        signIn: ['Sign in', `/login${step.query}`],
        recover: ['Forgot your password?', `/recover${step.query}`],
      },
      profileFields,
    } as const
    return c.html(renderStep(stepPageOf(answer.state, setting), steps.takeNotice(c)))
  })

  app.post(stepPath, async (c) => {
    const step = steps.current(c)
    if (step === undefined) return expired(c)
    const form = new URLSearchParams(await c.req.text())
    const input = readInput(form)
    const answer = await flows.advance(c, step.token, input)
    if (answer.ok) return goOn(c, answer, step.query)
    return steps.showAgain(c, noticeOf(answer, input, form))
  })

  /** The target of recovery links. Its code replaces a token, so any browser may open it. */
  app.get('/reset', async (c) => {
    const input = { account_recovery_code: c.req.query('code') ?? '' }
    const answer = await flows.advance(c, undefined, input)
    return answer.ok ? goOn(c, answer, '') : refuse(c, answer, 'This link has expired')
  })

  /** The callback of identity providers. A browser that did not leave from here may be following an attacker's link. */
  app.get(callbackPath, async (c) => {
    const step = steps.comeBack(c, c.req.query('state') ?? '')
    if (step === undefined) return expired(c)
    const input = { query: new URL(c.req.url).search }
    const answer = await flows.advance(c, step.token, input)
    return answer.ok ? goOn(c, answer, step.query) : steps.show(c, step, noticeOf(answer, input))
  })

  app.get('/recovered', (c) => {
    const text = 'You can sign in with it from now on.'
    return c.html(messagePage('Your password is changed', text, [['Sign in', '/login']]))
  })

  /** Redirects to the page of the next step, or out of a finished flow. */
  function goOn(
    c: Context,
    { state }: FlowAnswer & { ok: true },
    query: string,
  ): Response | Promise<Response> {
    const { action, state_token: token, type } = state
    if (action.type !== 'finished') return steps.show(c, { token, query })
    if (type === 'account_recovery') return c.redirect('/recovered', 303)
    const { data } = action
    const onwardTo = data.type === undefined ? data.finish_redirect_uri : undefined
    if (onwardTo === undefined) return c.redirect('/account', 303)
    const body = html`<p><a href="${onwardTo}">Continue</a></p>`
    return c.html(layout({ title: 'You are signed in', body, onwardTo }))
  }

  return app
}

type Refusal = FlowAnswer & { ok: false }

function noticeOf(refusal: Refusal, input: FlowInput, form = new URLSearchParams()): Notice {
  const problems = problemsOf(refusal.error, input, refusal.retryAfterSeconds)
  return { form: form.get('_form') ?? '', problems, typed: new Map(form) }
}

/** The page for a flow that cannot begin. */
function refuse(c: Context, refusal: Refusal, title: string): Response | Promise<Response> {
  const problems = problemsOf(refusal.error, {}, refusal.retryAfterSeconds)
  const text = problems.map(wordsOf).join(' ')
  return c.html(
    messagePage(title, text, [
      ['Sign in', '/login'],
      ['Reset your password', '/recover'],
    ]),
    refusal.error.code < 500 ? 400 : 500,
  )
}

function expired(c: Context): Response | Promise<Response> {
  const text = 'It was finished, it took too long, or it was begun in another browser.'
  return c.html(
    messagePage('This page has expired', text, [
      ['Sign in', '/login'],
      ['Home', '/'],
    ]),
    404,
  )
}
