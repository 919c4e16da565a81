import {
  type AuthClient,
  type Flow,
  type FlowAt,
  type FlowInput,
  isClientError,
  leaveForProvider,
  returnFromProvider,
} from '@gatehouse/client'
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { onlyAnswer } from './auto-step.ts'
import { depthNow, keep, keepChoice, keptNow, takeChoice } from './kept.ts'

/** What led to a step, where the page says so: an expired flow, or the wish for another message. */
export type After = 'restart' | 'resend'

/** What the page shows of a flow. */
export type Shown =
  | { readonly kind: 'loading' }
  | { readonly kind: 'flow'; readonly flow: Flow; readonly after?: After }
  | { readonly kind: 'failed'; readonly error: unknown }

export interface RunningFlow {
  readonly shown: Shown
  /** Why the last input was refused. */
  readonly error: unknown
  readonly isBusy: boolean
  /** What the person has typed to say who they are, to fill it in again. */
  readonly login: string
  remember(login: string): void
  submit(input: FlowInput | object): Promise<void>
  /** Shows a flow that was begun elsewhere, at this place of the history or at a new one. */
  show(flow: Flow, place?: 'here' | 'next'): void
  /**
   * Comes back from an identity provider. If the service refuses its answer, the step that led there is shown, and why. `false` if
   * this tab had not left for a provider.
   */
  comeBack(auth: AuthClient): Promise<boolean>
  /** Reads a step that the tab has kept. */
  resume(token: string): Promise<void>
  fail(error: unknown): void
  /** Begins again, or reads a step again that could not be read. */
  restart(): void
}

/** Whether the same request may succeed later: there was no sound answer, or there were too many requests. */
export const mayPass = (failure: unknown): boolean =>
  isClientError(failure) &&
  (failure.status === 429 || failure.status < 400 || failure.status >= 500)

/** Whether no answer of the person helps a flow on: it is gone, or its session or its user is. */
const isOver = (failure: unknown): boolean =>
  isClientError(
    failure,
    'AuthenticationFlowNotFound',
    'SelectAccountSessionChanged',
    'AuthenticationFlowNoUserID',
  )

/** The first state that needs an answer of the person. */
async function pastOnlyAnswers(first: Flow): Promise<Flow> {
  let flow = first
  for (let answer = onlyAnswer(flow); answer !== undefined; answer = onlyAnswer(flow)) {
    flow = await flow.send(answer)
  }
  return flow
}

/** Shows the step that the browser's history is at: when the page is opened, and when the person goes back or forth. */
function useSteps(
  begin: unknown,
  start: () => Promise<void>,
  resume: (token: string) => Promise<void>,
): void {
  useEffect(() => {
    const { token } = keptNow()
    if (begin !== undefined) void (token === undefined ? start() : resume(token))
    const goTo = (): void => {
      const { token: earlier } = keptNow()
      if (earlier !== undefined) void resume(earlier)
    }
    addEventListener('popstate', goTo)
    return () => removeEventListener('popstate', goTo)
  }, [begin, start, resume])
}

/** Leads to an identity provider, from a step to come back to if its answer is refused. */
function leave(flow: FlowAt<'oauth_data'>, from: Flow | undefined): void {
  if (from !== undefined) keepChoice(from.token)
  leaveForProvider(flow)
}

/** What beginning and coming back need of a running flow. */
interface Parts {
  readonly present: (flow: Flow, place: 'here', after?: After) => Promise<void>
  readonly failed: (failure: unknown) => void
  readonly latest: { current: Flow | undefined }
  readonly login: { readonly current: string }
  readonly setShown: (shown: Shown) => void
  readonly setError: (error: unknown) => void
}

/** Comes back from an identity provider, as {@link RunningFlow} describes it. */
function useComeBack(parts: Parts): RunningFlow['comeBack'] {
  const { present, failed, latest, login, setShown, setError } = parts
  return useCallback(
    async (auth) => {
      try {
        const flow = await returnFromProvider(auth)
        if (flow === undefined) return false
        await present(flow, 'here')
      } catch (failure) {
        const token = takeChoice()
        const choice = token && (await auth.resume(token).catch(() => undefined))
        // Not led away again: the provider would answer the same.
        const flow = choice || auth.refused(failure)
        if (flow === undefined) {
          failed(failure)
          return true
        }
        keep({ token: flow.token, login: login.current })
        latest.current = flow
        setShown({ kind: 'flow', flow })
        setError(failure)
      }
      return true
    },
    [present, failed, latest, login, setShown, setError],
  )
}

/** Begins a flow, or goes on with one that the tab has kept. */
function useBeginning(
  auth: Pick<AuthClient, 'resume'>,
  begin: (() => Promise<Flow>) | undefined,
  { present, failed, latest, login, setShown, setError }: Parts,
): {
  /** @param lost why an earlier flow cannot go on. */
  start(lost?: unknown): Promise<void>
  resume(token: string): Promise<void>
} {
  const start = useCallback(
    async (lost?: unknown): Promise<void> => {
      if (begin === undefined) return lost === undefined ? undefined : failed(lost)
      try {
        const flow = await begin()
        keep({ login: login.current })
        await present(flow, 'here', lost === undefined ? undefined : 'restart')
      } catch (failure) {
        failed(failure)
      }
    },
    [begin, present, failed, login],
  )

  const resume = useCallback(
    async (token: string): Promise<void> => {
      try {
        const flow = await auth.resume(token)
        if (begin === undefined) return await present(flow, 'here')
        latest.current = flow
        setError(undefined)
        if (flow.prompt === 'finished' || flow.prompt === 'oauth_data') await start()
        else setShown({ kind: 'flow', flow })
      } catch (failure) {
        if (mayPass(failure)) return failed(failure)
        // A page that was only opened has nothing to explain: people come back to it who have signed in.
        const isFirst = begin !== undefined && depthNow() === 0
        await start(isFirst ? undefined : failure)
      }
    },
    [auth, begin, present, start, failed, latest, setShown, setError],
  )
  return { start, resume }
}

/**
 * Runs a flow. Its states are the service's and never change, so each step is an entry of the browser's history: back leads to the
 * step before, and a reload shows the same one.
 *
 * @param finished leads on from the end of a flow; `false` shows the end.
 */
export function useFlow(
  auth: Pick<AuthClient, 'resume'>,
  begin: (() => Promise<Flow>) | undefined,
  finished: (flow: Flow) => boolean,
): RunningFlow {
  const [shown, setShown] = useState<Shown>({ kind: 'loading' })
  const [error, setError] = useState<unknown>(undefined)
  const [isBusy, setBusy] = useState(false)
  const login = useRef(keptNow().login ?? '')
  const latest = useRef<Flow | undefined>(undefined)
  const failed = useCallback((failure: unknown) => setShown({ kind: 'failed', error: failure }), [])

  const present = useCallback(
    async (first: Flow, place: 'here' | 'next', after?: After): Promise<void> => {
      const flow = await pastOnlyAnswers(first)
      if (flow.prompt === 'finished') {
        return finished(flow) ? undefined : setShown({ kind: 'flow', flow })
      }
      // A page of a provider must not come again by the back button.
      if (flow.prompt === 'oauth_data') return leave(flow, latest.current)
      const depth = depthNow() + (place === 'next' ? 1 : 0)
      keep({ token: flow.token, login: login.current, depth }, place)
      latest.current = flow
      setError(undefined)
      // With the step: a button that is still disabled when it is drawn cannot take the focus.
      setBusy(false)
      setShown({ kind: 'flow', flow, ...(after === undefined ? {} : { after }) })
    },
    [finished],
  )

  const parts = { present, failed, latest, login, setShown, setError }
  const { start, resume } = useBeginning(auth, begin, parts)
  useSteps(begin, start, resume)

  const submit = useCallback(
    async (input: FlowInput | object): Promise<void> => {
      const flow = latest.current
      if (flow === undefined) return
      setBusy(true)
      try {
        const next = await flow.send(input)
        // The person may have gone on, or back, meanwhile.
        if (latest.current !== flow) return
        await ('resend' in input ? present(next, 'here', 'resend') : present(next, 'next'))
      } catch (failure) {
        if (latest.current !== flow) return
        await (isOver(failure) ? start(failure) : setError(failure))
      } finally {
        setBusy(false)
      }
    },
    [present, start],
  )

  return {
    shown,
    error,
    isBusy,
    login: login.current,
    remember(typed) {
      login.current = typed
      keep({ ...keptNow(), login: typed })
    },
    submit,
    resume,
    show(flow, place = 'here') {
      setShown({ kind: 'loading' })
      void present(flow, place).catch(failed)
    },
    comeBack: useComeBack(parts),
    fail: setError,
    restart() {
      setShown({ kind: 'loading' })
      const { token } = keptNow()
      if (shown.kind === 'failed' && token !== undefined) return void resume(token)
      keep({ login: login.current })
      void start()
    },
  }
}
