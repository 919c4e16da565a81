import type { Context } from './context.ts'

/** The result of reading some text: the context after it, and the length of the text. */
export interface Step {
  readonly context: Context
  readonly length: number
}

/** Reads the beginning of a text, up to the next change of state or the end. */
export type Transition = (context: Context, text: string) => Step
