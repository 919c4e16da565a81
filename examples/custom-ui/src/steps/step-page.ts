import type { Html, Link } from '../pages/layout.ts'

/** The content of a step's page. `pages/render-step.ts` makes the HTML. */
export interface StepPage {
  readonly title: string
  readonly text?: string
  /** Data to show. */
  readonly body?: Html
  /** One form for each way to continue. */
  readonly forms: readonly StepForm[]
  readonly links?: readonly Link[]
  /** Where the browser continues by itself, unless a problem is shown. */
  readonly onwardTo?: string
}

/** A form for one input. */
export interface StepForm {
  /** Distinguishes it from the other forms of its page. */
  readonly heading?: string
  /** Input members that the user does not type. */
  readonly hidden: Readonly<Record<string, string | number | true>>
  readonly fields?: readonly Field[]
  readonly checkbox?: { readonly name: string; readonly label: string }
  readonly button: string
  /** `public/enhance.js` makes the credential, so the form is visible only with scripts. */
  readonly passkey?: Passkey
  /** Where scripts run, an event of this address submits the form. */
  readonly sentOnEventOf?: string
}

/** A text field. Its name is that of the input's member, or the JSON pointer of an attribute. */
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
  /** The options for the browser, as JSON. */
  readonly options: object
}

/** The forms of the offered ways, or a message if these pages support none of them. */
export function waysOf(forms: readonly StepForm[]): Pick<StepPage, 'forms' | 'text'> {
  if (forms.length > 0) return { forms }
  return { forms, text: 'These pages support none of the offered ways.' }
}
