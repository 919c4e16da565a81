import type { JSX } from 'preact'
import {
  attributesOf,
  autocompleteOf,
  inputTypeOf,
  type ProfileField,
} from '../flow/profile-field.ts'
import { type ScreenProps, useStep } from '../flow/step.ts'
import { hasText, useWords, type Words } from '../texts/texts.ts'
import { Field, Heading, StepForm, typedIn } from '../widgets/form.tsx'

/** The name of an attribute: a text of the page or of the app, else made from its pointer. */
export function attributeName(pointer: string, { t, own }: Words): string {
  const last = pointer.split('/').at(-1) ?? ''
  const key = `profile.${last}`
  if (hasText(key)) return t(key)
  const words = last.replace(/^x_/, '').replaceAll('_', ' ')
  return own[key] ?? words.charAt(0).toUpperCase() + words.slice(1)
}

/** Fields for attributes. */
export function ProfileFields({
  fields,
  values = {},
}: {
  readonly fields: readonly ProfileField[]
  readonly values?: Readonly<Record<string, unknown>>
}): JSX.Element {
  const words = useWords()
  const { t } = words
  const { problem } = useStep()
  const wrong = /^\/attributes\/(\d+)/.exec(problem?.at ?? '')?.[1]
  return (
    <>
      {fields.map((field, index) => {
        const { pointer, required = false, type, enum: options } = field
        const name = attributeName(pointer, words)
        const value = values[pointer]
        const given = value === undefined || value === null ? '' : String(value)
        const label = required ? name : `${name} (${t('optional')})`
        if (type === 'enum') {
          return (
            <div class="field" key={pointer}>
              <label for={`field${index}`}>{label}</label>
              <select
                id={`field${index}`}
                name={pointer}
                class="input"
                defaultValue={given}
                required={required}
              >
                <option value="" />
                {options?.map((one) => (
                  <option key={one} value={one} selected={one === given}>
                    {one}
                  </option>
                ))}
              </select>
            </div>
          )
        }
        return (
          <Field
            key={pointer}
            label={label}
            name={pointer}
            type={inputTypeOf(field)}
            autocomplete={autocompleteOf(field)}
            autoCapitalize="sentences"
            defaultValue={given}
            required={required}
            min={field.minimum}
            max={field.maximum}
            step={type === 'integer' ? 1 : 'any'}
            isFirst={index === 0}
            isAsked={wrong === undefined ? false : Number(wrong) === index}
          />
        )
      })}
    </>
  )
}

/** Fills in the attributes that a flow asks for. */
export function FillInProfile({ flow }: ScreenProps<'fill_in_user_profile'>): JSX.Element {
  const { submit } = useStep()
  const { t } = useWords()
  const fields = flow.action.data.attributes
  return (
    <>
      <Heading title={t('profile.title')} />
      <StepForm
        submitText={t('profile.submit')}
        onSubmit={(form) =>
          submit({ attributes: attributesOf(fields, (pointer) => typedIn(form, pointer)) })
        }
      >
        <ProfileFields fields={fields} />
      </StepForm>
    </>
  )
}
