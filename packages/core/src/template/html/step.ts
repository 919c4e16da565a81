import type { Context } from './context.ts'

/** What reading some text did: the context behind it, and how much of the text it was. */
export interface Step {
  readonly context: Context
  readonly length: number
}

/** Reads the beginning of a text, up to where the state changes or the text ends. */
export type Transition = (context: Context, text: string) => Step
