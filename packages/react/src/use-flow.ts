import type { AuthClient, Flow, FlowInput, NewFlowType } from '@gatehouse/client'
import { recoverByLink } from '@gatehouse/sign-in/flow/recover-by-link.ts'
import { useFlow as useSteps } from '@gatehouse/sign-in/flow/use-flow.ts'
import { whenApproved } from '@gatehouse/sign-in/flow/when-approved.ts'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { type FlowForm, formsOf } from './forms.ts'
import { useGatehouse } from './session.tsx'

/** Options of {@link useFlow}. */
export interface UseFlowOptions {
  /** The name of a declared flow (default `default`). */
  readonly name?: string | undefined
  /** Is called once at the end, after the session is known. */
  readonly onFinished?: ((flow: Flow) => void) | undefined
}

/** One way to answer the current step. */
export interface StepForm extends Omit<FlowForm, 'inputOf'> {
  /** Different for each form of each step. */
  readonly key: string
  /** Whether `error` is of what this form has sent. */
  readonly isRefused: boolean
  /** The handler of the `<form>`. It sends what its fields have, and asks the browser for a passkey where one is needed. */
  onSubmit(event: SubmitEventOfForm): void
}

/** The part of React's `FormEvent<HTMLFormElement>` that is used. */
export interface SubmitEventOfForm {
  readonly currentTarget: HTMLFormElement
  preventDefault(): void
}

/** A flow and its current step. */
export interface RunningFlow {
  /** `failed`: it could not begin or go on; `restart` tries again. */
  readonly status: 'loading' | 'running' | 'finished' | 'failed'
  /** The step: its `prompt` says which one, its `action.data` what may be answered. */
  readonly flow: Flow | undefined
  /** The ways to answer the step. A step of a kind of the app's own has none: `submit` answers it. */
  readonly forms: readonly StepForm[]
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

/** The forms of a step. */
function useForms(
  flow: Flow | undefined,
  {
    submit,
    remember,
    fail,
    error,
  }: Pick<ReturnType<typeof useSteps>, 'submit' | 'remember' | 'fail' | 'error'>,
): readonly StepForm[] {
  const [sent, setSent] = useState<string | undefined>(undefined)
  const latest = useRef(remember)
  useEffect(() => {
    latest.current = remember
  })
  return useMemo(() => {
    if (flow === undefined) return []
    return formsOf(flow).map(({ inputOf, ...form }, index) => {
      const key = `${flow.token} ${index}`
      const isRefused = error !== undefined && sent === key
      const onSubmit = (event: SubmitEventOfForm): void => {
        event.preventDefault()
        setSent(key)
        const data = new FormData(event.currentTarget)
        const typed = (name: string): string => String(data.get(name) ?? '')
        if (data.has('login_id')) latest.current(typed('login_id').trim())
        Promise.resolve(inputOf(typed)).then(submit, fail)
      }
      return { ...form, key, isRefused, onSubmit }
    })
  }, [flow, submit, fail, error, sent])
}

/** Returns what begins a flow. A password-reset link in the address continues the recovery that sent it. */
function beginOf(auth: () => AuthClient, type: NewFlowType, name: string): () => Promise<Flow> {
  const begin = (): Promise<Flow> => auth().begin(type, { name, query: location.search.slice(1) })
  return type === 'account_recovery' ? recoverByLink(auth, begin) : begin
}

/**
 * Runs a flow: begins it, answers what leaves no choice, leads to identity providers and back, and keeps its place in the history
 * of the browser, so that a reload shows the same step and the back button the one before: `const { flow, forms, error } = useFlow('login')`.
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
  const { shown, error, isBusy, login, remember, submit, comeBack, fail, restart } = useSteps(
    client,
    begin,
    finished,
  )
  const hasAsked = useRef(false)
  useEffect(() => {
    if (!isBack || hasAsked.current) return
    hasAsked.current = true
    void comeBack(auth()).then((isOurs) => isOurs || setBack(false))
  }, [isBack, auth, comeBack])
  const flow = shown.kind === 'flow' ? shown.flow : undefined
  const forms = useForms(flow, { submit, remember, fail, error })
  useEffect(() => {
    const isLink = flow?.prompt === 'verify_oob_otp_data' && flow.action.data.otp_form === 'link'
    return isLink ? whenApproved(flow, () => submit({ check: true })) : undefined
  }, [flow, submit])
  return {
    status:
      shown.kind === 'flow' ? (flow?.prompt === 'finished' ? 'finished' : 'running') : shown.kind,
    flow,
    forms,
    error: shown.kind === 'failed' ? shown.error : error,
    isBusy,
    isRestarted: shown.kind === 'flow' && shown.after === 'restart',
    login,
    remember,
    submit,
    restart,
  }
}
