import type { JSX } from 'preact'
import { useStep } from '../flow/step.ts'
import { useWords } from '../texts/texts.ts'
import { Field, Heading, PasswordField, StepForm, typedIn } from '../widgets/form.tsx'

/** The form of a kind of the app's own: its fields are configured. Without them a sentence says whom to ask. */
export function CustomForm({
  name,
  input,
  isAlone = false,
}: {
  /** The name of the kind. */
  readonly name: string
  /** What the input has besides its fields. */
  readonly input: object
  /** Whether there is nothing else on the page. */
  readonly isAlone?: boolean
}): JSX.Element | null {
  const { settings, submit } = useStep()
  const { t } = useWords()
  const form = Object.hasOwn(settings.kinds, name) ? settings.kinds[name] : undefined
  if (form === undefined) {
    return isAlone ? <Heading title={t('custom.title')}>{t('custom.none')}</Heading> : null
  }
  return (
    <>
      {isAlone ? <Heading title={form.title} /> : <h2>{form.title}</h2>}
      <StepForm
        onSubmit={(element) => {
          const values = form.fields.map((field) => [field.name, typedIn(element, field.name)])
          return submit({ ...Object.fromEntries(values), ...input })
        }}
      >
        {form.fields.map((field, index) => {
          const properties = {
            label: field.label,
            name: field.name,
            ...(field.autocomplete === undefined ? {} : { autocomplete: field.autocomplete }),
            isAsked: index === 0,
            isFirst: isAlone && index === 0,
          }
          return field.type === 'password' ? (
            <PasswordField key={field.name} {...properties} />
          ) : (
            <Field key={field.name} type={field.type ?? 'text'} {...properties} />
          )
        })}
      </StepForm>
    </>
  )
}
