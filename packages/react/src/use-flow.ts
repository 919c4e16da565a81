import {
  type AuthClient,
  type Flow,
  type FlowInput,
  type NewFlowType,
  returnFromProvider,
} from '@gatehouse/client'
import { recoverByLink } from '@gatehouse/sign-in/flow/recover-by-link.ts'
import { useFlow as useSteps } from '@gatehouse/sign-in/flow/use-flow.ts'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useGatehouse } from './session.tsx'

/** Options of {@link useFlow}. */
export interface UseFlowOptions {
  /** The name of a declared flow (default `default`). */
  readonly name?: string | undefined
  /** Is called once at the end, after the session is known. */
  readonly onFinished?: ((flow: Flow) => void) | undefined
}

/** A flow and its current step. */
export interface RunningFlow {
  /** `failed`: it could not begin or go on; `restart` tries again. */
  readonly status: 'loading' | 'running' | 'finished' | 'failed'
  /** The step: its `prompt` says which one, its `action.data` what may be answered. */
  readonly flow: Flow | undefined
  /** Why the last input was refused, or why the flow has failed. */
  readonly error: unknown
  readonly isBusy: boolean
  /** Whether the flow had expired, and has begun again. */
  readonly isRestarted: boolean
  /** What the person has typed to say who they are, as given to `remember`. It outlives a reload. */
  readonly login: string
  remember(login: string): void
  submit(input: FlowInput | object): Promise<void>
  restart(): void
}

/** Returns what begins a flow. A password-reset link in the address continues the recovery that sent it. */
function beginOf(auth: () => AuthClient, type: NewFlowType, name: string): () => Promise<Flow> {
  const begin = (): Promise<Flow> => auth().begin(type, { name, query: location.search.slice(1) })
  return type === 'account_recovery' ? recoverByLink(auth, begin) : begin
}

/**
 * Runs a flow: begins it, answers what leaves no choice, leads to identity providers and back, and keeps its place in the history
 * of the browser, so that a reload shows the same step and the back button the one before: `const { flow, submit, error } = useFlow('login')`.
 * `account_recovery` also continues from a password-reset link: on a page whose address has its `code`, in any browser.
 *
 * @throws {Error} outside of a {@link GatehouseProvider}.
 */
export function useFlow(type: NewFlowType, options: UseFlowOptions = {}): RunningFlow {
  const { auth, refresh } = useGatehouse()
  const { name = 'default' } = options
  const latest = useRef(options)
  useEffect(() => {
    latest.current = options
  })
  // Only a tab that has left for a provider knows; the parameter says whether to look.
  const [isBack, setBack] = useState(
    () => typeof location !== 'undefined' && new URLSearchParams(location.search).has('state'),
  )
  const begin = useMemo(
    () => (isBack ? undefined : beginOf(auth, type, name)),
    [isBack, auth, type, name],
  )
  const finished = useCallback(
    (flow: Flow): boolean => {
      void refresh().then(() => latest.current.onFinished?.(flow))
      return false
    },
    [refresh],
  )
  const client = useMemo(() => ({ resume: (token: string) => auth().resume(token) }), [auth])
  const { shown, error, isBusy, login, remember, submit, show, fail, restart } = useSteps(
    client,
    begin,
    finished,
  )
  const hasAsked = useRef(false)
  useEffect(() => {
    if (!isBack || hasAsked.current) return
    hasAsked.current = true
    returnFromProvider(auth()).then(
      (flow) => (flow === undefined ? setBack(false) : show(flow)),
      (failure: unknown) => {
        const flow = auth().refused(failure)
        if (flow === undefined) setBack(false)
        else void show(flow)
        fail(failure)
      },
    )
  }, [isBack, auth, show, fail])
  const flow = shown.kind === 'flow' ? shown.flow : undefined
  return {
    status:
      shown.kind === 'flow' ? (flow?.prompt === 'finished' ? 'finished' : 'running') : shown.kind,
    flow,
    error: shown.kind === 'failed' ? shown.error : error,
    isBusy,
    isRestarted: shown.kind === 'flow' && shown.after === 'restart',
    login,
    remember,
    submit,
    restart,
  }
}
