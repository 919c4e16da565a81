import type { Html, Link } from '../pages/layout.ts'

/** What the page of a step says and asks for. `pages/render-step.ts` makes the HTML. */
export interface StepPage {
  readonly title: string
  readonly text?: string
  /** What the step has to show. */
  readonly body?: Html
  /** One for each way on. */
  readonly forms: readonly StepForm[]
  readonly links?: readonly Link[]
  /** Where the browser goes by itself, unless there is a problem to be told first. */
  readonly onwardTo?: string
}

/** A form that stands for one input. */
export interface StepForm {
  /** Tells it from the others of its page, if there are any. */
  readonly heading?: string
  /** What the input has beside what is typed. */
  readonly hidden: Readonly<Record<string, string | number | true>>
  readonly fields?: readonly Field[]
  readonly checkbox?: { readonly name: string; readonly label: string }
  readonly button: string
  /** Made by `public/enhance.js`, so the form is shown only where scripts run. */
  readonly passkey?: Passkey
  /** An event of this address is as good as its button, where scripts run. */
  readonly sentOnEventOf?: string
}

/** A text that is typed. Its name is that of the input's member, or the pointer of an attribute. */
export interface Field {
  readonly name: string
  readonly label: string
  readonly type?: 'text' | 'email' | 'tel' | 'password' | 'url' | 'date'
  /** @see https://html.spec.whatwg.org/#autofill */
  readonly autocomplete: string
  readonly hint?: string
  readonly isNumber?: boolean
  readonly isOptional?: boolean
}

export interface Passkey {
  readonly does: 'create' | 'get'
  /** What the browser is asked with, in JSON. */
  readonly options: object
}

/** The forms of the ways that a service offers, or a word that none of them is known here. */
export function waysOf(forms: readonly StepForm[]): Pick<StepPage, 'forms' | 'text'> {
  if (forms.length > 0) return { forms }
  return { forms, text: 'These pages know none of the ways that are offered here.' }
}
