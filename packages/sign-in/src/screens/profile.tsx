import type { JSX } from 'preact'
import { type ScreenProps, useStep } from '../flow/step.ts'
import { hasText, useWords, type Words } from '../texts/texts.ts'
import { Field, Heading, StepForm, typedIn } from '../widgets/form.tsx'

/** An attribute of a profile, as a form needs it. */
export interface ProfileField {
  readonly pointer: string
  readonly required?: boolean | undefined
  readonly type?: string | undefined
  readonly enum?: readonly string[] | undefined
  readonly minimum?: number | undefined
  readonly maximum?: number | undefined
}

/** How browsers fill in standard attributes. */
const autocompletes: Readonly<Record<string, string>> = {
  '/name': 'name',
  '/given_name': 'given-name',
  '/family_name': 'family-name',
  '/middle_name': 'additional-name',
  '/nickname': 'nickname',
  '/website': 'url',
  '/gender': 'sex',
  '/birthdate': 'bday',
  '/locale': 'language',
  '/email': 'email',
  '/phone_number': 'tel',
  '/address/street_address': 'street-address',
  '/address/locality': 'address-level2',
  '/address/region': 'address-level1',
  '/address/postal_code': 'postal-code',
  '/address/country': 'country-name',
}

/** The name of an attribute: a text of the page or of the app, else made from its pointer. */
export function attributeName(pointer: string, { t, own }: Words): string {
  const last = pointer.split('/').at(-1) ?? ''
  const key = `profile.${last}`
  if (hasText(key)) return t(key)
  const words = last.replace(/^x_/, '').replaceAll('_', ' ')
  return own[key] ?? words.charAt(0).toUpperCase() + words.slice(1)
}

function inputTypeOf({
  pointer,
  type,
}: ProfileField): 'date' | 'url' | 'number' | 'email' | 'tel' | 'text' {
  if (pointer === '/birthdate') return 'date'
  if (pointer === '/website' || pointer === '/profile' || pointer === '/picture') return 'url'
  if (type === 'number' || type === 'integer') return 'number'
  if (type === 'email') return 'email'
  if (type === 'phone_number') return 'tel'
  return type === 'url' ? 'url' : 'text'
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
            autocomplete={autocompletes[pointer] ?? 'off'}
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

/** The value of a field as the service takes it; `undefined` for an empty one. */
export function attributeValue(form: HTMLFormElement, { pointer, type }: ProfileField): unknown {
  const text = typedIn(form, pointer).trim()
  if (text === '') return undefined
  return type === 'number' || type === 'integer' ? Number(text) : text
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
          submit({
            attributes: fields.flatMap((field) => {
              const value = attributeValue(form, field)
              return value === undefined ? [] : [{ pointer: field.pointer, value }]
            }),
          })
        }
      >
        <ProfileFields fields={fields} />
      </StepForm>
    </>
  )
}
