import type { ButtonHTMLAttributes, ComponentChildren, InputHTMLAttributes, JSX } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { useStep } from '../flow/step.ts'
import { useWords } from '../texts/texts.ts'
import { Icon, type IconName } from './icons.tsx'
import { plainCode } from './plain-code.ts'

/** Runs an effect when its inputs change, but not when they are only written in another language: who chose one goes on choosing. */
function useOnChange(effect: () => void, inputs: readonly unknown[]): void {
  const { language } = useWords()
  const written = useRef(language)
  useEffect(() => {
    const isTranslated = written.current !== language
    written.current = language
    if (!isTranslated) effect()
  }, [...inputs, language])
}

/** The heading of a step. The focus goes to the first field of the step, else here. */
export function Heading({
  title,
  children,
}: {
  readonly title: string
  readonly children?: ComponentChildren
}): JSX.Element {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    // Within a page of an app, the title is the app's.
    if (heading.current?.closest('.card')?.matches('main')) document.title = title
  }, [title])
  useOnChange(() => {
    const card = heading.current?.closest('.card')
    const first = card?.querySelector<HTMLElement>('[data-first]') ?? heading.current
    first?.focus({ preventScroll: true })
    card?.scrollIntoView({ block: 'nearest' })
  }, [title])
  return (
    <header class="heading">
      <h1 ref={heading} tabIndex={-1} id="title">
        {title}
      </h1>
      {children !== undefined && <p class="muted">{children}</p>}
    </header>
  )
}

/** Why the last input was refused, spoken as soon as it is there. */
export function ProblemLine({ id }: { readonly id?: string }): JSX.Element {
  const { problem } = useStep()
  return (
    <div id={id} role="alert" class={problem === undefined ? 'problem-empty' : 'problem'}>
      {problem !== undefined && (
        <>
          <Icon name="alert" />
          <span>{problem.text}</span>
        </>
      )}
    </div>
  )
}

export function Button({
  icon,
  children,
  look = 'primary',
  isBusy = false,
  element,
  ...others
}: {
  readonly icon?: IconName
  readonly look?: 'primary' | 'plain' | 'quiet' | 'danger'
  readonly isBusy?: boolean
  /** Is given the element, as `ref` is of an element: React 18 hands no `ref` to components. */
  element?(button: HTMLButtonElement | null): void
  readonly children: ComponentChildren
} & Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'icon'>): JSX.Element {
  return (
    <button
      ref={element ?? null}
      type="button"
      class={`button ${look}`}
      aria-busy={isBusy || undefined}
      {...others}
    >
      {icon !== undefined && <Icon name={icon} />}
      <span>{children}</span>
    </button>
  )
}

/** A form whose values go to the service. It takes no second press while it waits. */
export function StepForm({
  onSubmit,
  submitText,
  children,
  hasProblem = true,
}: {
  onSubmit(form: HTMLFormElement): void | Promise<void>
  readonly submitText?: string | undefined
  readonly children?: ComponentChildren
  /** Whether the problem of the step is shown here: one form of a page shows it. */
  readonly hasProblem?: boolean
}): JSX.Element {
  const { t } = useWords()
  const { isBusy, problem } = useStep()
  const form = useRef<HTMLFormElement>(null)
  useOnChange(() => {
    if (problem === undefined || !hasProblem) return
    const field =
      form.current?.querySelector<HTMLElement>('[aria-invalid="true"]') ??
      form.current?.querySelector<HTMLElement>('[data-first]')
    field?.focus()
    if (field instanceof HTMLInputElement && field.dataset.selects !== undefined) field.select()
  }, [problem, hasProblem])
  return (
    <form
      ref={form}
      class="form"
      noValidate
      aria-labelledby="title"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isBusy) void onSubmit(event.currentTarget)
      }}
    >
      {hasProblem && <ProblemLine id="problem" />}
      {children}
      {submitText !== '' && (
        <Button type="submit" isBusy={isBusy}>
          {submitText ?? t('continue')}
        </Button>
      )}
    </form>
  )
}

/** What fields are given of an input's properties. */
interface InputProps {
  readonly type?: 'text' | 'password' | 'email' | 'tel' | 'url' | 'number' | 'date' | 'checkbox'
  readonly autocomplete?: string
  readonly autoCapitalize?: string
  readonly inputMode?: 'text' | 'numeric' | 'tel'
  readonly dir?: 'ltr'
  readonly class?: string
  readonly value?: string
  readonly defaultValue?: string
  readonly required?: boolean
  readonly checked?: boolean
  readonly maxLength?: number
  readonly min?: number | undefined
  readonly max?: number | undefined
  readonly step?: number | 'any'
  readonly 'aria-describedby'?: string
  /** Selects the value when it was refused, because it is typed again. */
  readonly 'data-selects'?: boolean
  onInput?(event: {
    readonly currentTarget: HTMLInputElement
    readonly isComposing?: boolean
  }): void
  onChange?(event: { readonly currentTarget: HTMLInputElement }): void
}

const asAttributes = (props: InputProps): InputHTMLAttributes<HTMLInputElement> =>
  // Preact's types have one for each type of input.
  props as InputHTMLAttributes<HTMLInputElement>

export interface FieldProps extends InputProps {
  readonly label: string
  readonly name: string
  /** A sentence of this field alone. */
  readonly problem?: string | undefined
  /** Whether the problem of the step is about this field. */
  readonly isAsked?: boolean
  /** The field that the focus goes to. */
  readonly isFirst?: boolean
  readonly hint?: ComponentChildren
  readonly aside?: ComponentChildren
  readonly children?: ComponentChildren
}

/** A labelled field, with its hint and its problem tied to it. */
export function Field({
  label,
  problem,
  isAsked = false,
  isFirst = false,
  hint,
  aside,
  children,
  ...input
}: FieldProps): JSX.Element {
  const id = useId()
  const { problem: ofStep } = useStep()
  const isWrong = problem !== undefined || (isAsked && ofStep !== undefined)
  const about = [
    ...(problem === undefined ? [] : [`${id}-problem`]),
    ...(isAsked && ofStep !== undefined ? ['problem'] : []),
    ...(hint === undefined ? [] : [`${id}-hint`]),
  ].join(' ')
  return (
    <div class="field">
      <div class="label-row">
        <label for={id}>{label}</label>
        {aside}
      </div>
      <div class={`input-row${children === undefined ? '' : ' has-button'}`}>
        <input
          id={id}
          class="input"
          type="text"
          autoCapitalize="none"
          spellcheck={false}
          aria-invalid={isWrong || undefined}
          aria-describedby={about === '' ? undefined : about}
          data-first={isFirst || undefined}
          {...asAttributes(input)}
        />
        {children}
      </div>
      {problem !== undefined && (
        <p id={`${id}-problem`} class="field-problem">
          {problem}
        </p>
      )}
      {hint !== undefined && (
        <div id={`${id}-hint`} class="hint">
          {hint}
        </div>
      )}
    </div>
  )
}

/** Tells managers of passwords whose password a form is about. */
export const RememberedLogin = ({ login }: { readonly login: string }): JSX.Element | null =>
  login === '' ? null : (
    <input
      class="hidden"
      tabIndex={-1}
      aria-hidden="true"
      readOnly
      type="text"
      autocomplete="username"
      value={login}
    />
  )

/** A password with a button that shows it. Pasting and password managers work as in every field. */
export function PasswordField(props: FieldProps): JSX.Element {
  const { t } = useWords()
  const [isShown, setShown] = useState(false)
  return (
    <Field {...props} type={isShown ? 'text' : 'password'}>
      <button
        type="button"
        class="in-field"
        aria-pressed={isShown}
        aria-label={t(isShown ? 'password.hide' : 'password.show')}
        onClick={() => setShown(!isShown)}
      >
        <Icon name={isShown ? 'eye-off' : 'eye'} />
      </button>
    </Field>
  )
}

/** One field for all digits, so that pasting and filling in from a message work. It sends itself once it is full. */
export function CodeField({
  length,
  ...props
}: FieldProps & { readonly length?: number }): JSX.Element {
  return (
    <Field
      inputMode="numeric"
      autocomplete="one-time-code"
      data-selects
      dir="ltr"
      {...props}
      onInput={(event) => {
        const field = event.currentTarget
        // A half-written character of an input method must not be replaced.
        if (event.isComposing) return
        const digits = plainCode(field.value)
        if (digits !== field.value) field.value = digits
        if (length !== undefined && digits.length === length) field.form?.requestSubmit()
      }}
      class="input code"
    />
  )
}

export function Checkbox({
  name,
  label,
  ...input
}: { readonly name: string; readonly label: string } & InputProps): JSX.Element {
  return (
    <label class="checkbox">
      <input {...asAttributes({ ...input, type: 'checkbox' })} name={name} />
      <span>{label}</span>
    </label>
  )
}

/** The value of a field of a form. */
export const typedIn = (form: HTMLFormElement, name: string): string =>
  String(new FormData(form).get(name) ?? '')

/** A way to choose: a picture, and words. */
export function Choice({
  icon,
  mark,
  title,
  text,
  isFirst = false,
  ...others
}: {
  readonly icon?: IconName
  readonly mark?: ComponentChildren
  readonly title: string
  readonly text?: string | undefined
  readonly isFirst?: boolean
} & Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'icon' | 'title'>): JSX.Element {
  return (
    <button type="button" class="choice" data-first={isFirst || undefined} {...others}>
      <span class="choice-icon">{mark ?? (icon !== undefined && <Icon name={icon} />)}</span>
      <span class="choice-text">
        <bdi>{title}</bdi>
        {text !== undefined && <small>{text}</small>}
      </span>
      <Icon name="back" />
    </button>
  )
}

export const Divider = ({ text }: { readonly text: string }): JSX.Element => (
  <div class="divider">
    <span>{text}</span>
  </div>
)
