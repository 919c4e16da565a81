import { createAuthClient, type Flow, isClientError, returnFromProvider } from '@gatehouse/client'
import { viewOf } from './prompts.ts'
import { show, showProblems, type View } from './view.ts'
import { problemsOf } from './words.ts'

const auth = createAuthClient()

/** Where the token of the flow of this page is kept for a reload. It lets its holder continue the flow, and leaves this tab nowhere. */
const kept = `flow ${location.pathname}`

const homeLinks = [
  ['Sign in', '/login'],
  ['Create an account', '/signup'],
] as const

/** Shows a page whose forms lead from flow to flow. */
function present(view: View): void {
  show(view, (index, entered) => {
    const form = view.forms?.[index]
    form?.submit(entered).then(
      (flow) => flow && presentFlow(flow),
      (error: unknown) => {
        // A flow that is over cannot be continued.
        if (isClientError(error, 'AuthenticationFlowNotFound')) expired()
        else showProblems(problemsOf(error), index)
      },
    )
  })
}

function presentFlow(flow: Flow): void {
  if (flow.prompt === 'finished') {
    sessionStorage.removeItem(kept)
    if (flow.type === 'account_recovery') {
      present({ title: 'Your password is set', links: [['Sign in', '/login']] })
    } else location.assign(flow.action.data.finish_redirect_uri ?? '/account')
    return
  }
  sessionStorage.setItem(kept, flow.token)
  present(viewOf(flow))
  if (flow.prompt === 'verify_oob_otp_data' && flow.action.data.otp_form === 'link') {
    const { token } = flow
    flow
      .approved({ via: 'events' })
      .then((approved) => approved.submit({ check: true }))
      // The user may have gone on by the button meanwhile.
      .then((next) => sessionStorage.getItem(kept) === token && presentFlow(next))
      .catch(() => {})
  }
}

function expired(): void {
  sessionStorage.removeItem(kept)
  const text = 'It was finished, it took too long, or it was begun in another browser.'
  present({ title: 'This page has expired', text, links: [...homeLinks] })
}

/** Continues the flow of this page after a reload, or begins one. */
async function resumeOr(begin: () => Promise<Flow>): Promise<void> {
  const [navigation] = performance.getEntriesByType('navigation')
  const isReload = (navigation as PerformanceNavigationTiming | undefined)?.type === 'reload'
  const token = isReload ? sessionStorage.getItem(kept) : null
  const resumed = token === null ? undefined : await auth.resume(token).catch(() => undefined)
  presentFlow(resumed ?? (await begin()))
}

async function account(): Promise<void> {
  const session = await auth.session()
  if (session === undefined) return location.assign('/login')
  const { email, name } = session.user.standard_attributes
  present({
    title: String(email ?? name ?? 'Your account'),
    text: `You are signed in${session.aal > 1 ? ' with a second factor' : ''}.`,
    forms: [
      {
        button: 'Sign out',
        async submit() {
          await auth.signOut()
          location.assign('/')
          return undefined
        },
      },
    ],
  })
}

const { search } = location
const query = search.slice(1)

const pages: Readonly<Record<string, () => void | Promise<void>>> = {
  '/': () => present({ title: 'Welcome', links: [...homeLinks] }),
  '/login': () => resumeOr(() => auth.login({ query })),
  '/signup': () => resumeOr(() => auth.signup({ query })),
  '/recover': () => resumeOr(() => auth.recover({ query })),
  '/account': account,
  async '/reset'() {
    const code = new URLSearchParams(search).get('code') ?? ''
    // Neither the history nor a referrer shall have the code.
    history.replaceState(null, '', '/reset')
    await resumeOr(() => auth.recover({ code }))
  },
  async '/callback'() {
    const flow = await returnFromProvider(auth)
    if (flow === undefined) expired()
    else presentFlow(flow)
  },
}

try {
  const page = pages[location.pathname]
  if (page === undefined) present({ title: 'Page not found', links: [['Home', '/']] })
  else await page()
} catch (error) {
  present({ title: 'This did not work', text: problemsOf(error).join(' '), links: [...homeLinks] })
}
