import type { AuthClient, Flow, FlowAt, PromptName } from '@gatehouse/client'
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { PageName, PageSettings } from '../settings.ts'
import type { Problem } from '../texts/failures.ts'

/** What the screen of a step can use. */
export interface Step {
  readonly settings: PageSettings
  readonly auth: AuthClient
  readonly flow: Flow | undefined
  /** Whether the step is shown because another message was asked for, which has left. */
  readonly isResent: boolean
  readonly isBusy: boolean
  /** Why the last input was refused, in words. */
  readonly problem: Problem | undefined
  readonly failure: unknown
  readonly login: string
  remember(login: string): void
  submit(input: object): Promise<void>
  fail(error: unknown): void
  restart(): void
  /** The address of a page, with the way back that this page has. */
  pageUrl(page: PageName): string
}

export const StepContext = createContext<Step | undefined>(undefined)

export function useStep(): Step {
  const step = useContext(StepContext)
  if (step === undefined) throw new Error('a screen is shown outside of a step')
  return step
}

/** The properties of the screen of a prompt. */
export interface ScreenProps<Name extends PromptName> {
  readonly flow: FlowAt<Name>
}
