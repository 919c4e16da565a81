import type { JSX } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { useStep } from '../flow/step.ts'
import { useWords } from '../texts/texts.ts'
import { Field } from './form.tsx'

type Phones = typeof import('./phones.ts').phoneRules

/** The country that the browser's languages name, such as `NO` of `nb-NO`. */
function guessedCountry(offered: readonly string[]): string {
  for (const tag of navigator.languages) {
    const region = new Intl.Locale(tag).maximize().region
    if (region !== undefined && offered.includes(region)) return region
  }
  return offered[0] ?? 'US'
}

/** A phone number: a country, and the number as people write it there. Its value is the international form. */
export function PhoneField({
  name,
  isFirst = false,
  initial = '',
  autocomplete = 'tel',
}: {
  readonly name: string
  readonly isFirst?: boolean
  readonly initial?: string
  readonly autocomplete?: string
}): JSX.Element {
  const { t, language } = useWords()
  const { settings } = useStep()
  const [phones, setPhones] = useState<Phones | undefined>(undefined)
  const [country, setCountry] = useState('')
  const [typed, setTyped] = useState(initial)
  const id = useId()
  const chosen = useRef(false)
  useEffect(() => {
    // The rules of all countries are larger than the rest of the page, so only who needs them loads them.
    import('./phones.ts').then(
      ({ phoneRules: loaded }) => {
        setPhones(loaded)
        if (!chosen.current) setCountry(guessedCountry(loaded.countriesOf(settings.countries)))
      },
      () => {},
    )
  }, [settings.countries])
  const offered = phones?.countriesOf(settings.countries) ?? []
  const names = new Intl.DisplayNames([language], { type: 'region' })
  const sorted = offered
    .map((code) => ({ code, name: names.of(code) ?? code }))
    .sort((a, b) => a.name.localeCompare(b.name, language))
  const value = phones?.international(typed, country) ?? typed
  return (
    <Field
      label={t('label.phone')}
      name={`${name}-typed`}
      type="tel"
      inputMode="tel"
      autocomplete={autocomplete}
      dir="ltr"
      isAsked
      isFirst={isFirst}
      value={typed}
      class="input phone"
      onInput={(event) => {
        const field = event.currentTarget
        const isAtEnd = field.selectionStart === field.value.length
        const read = phones?.asTyped(field.value, country)
        if (read?.country !== undefined && offered.includes(read.country)) setCountry(read.country)
        // Formatting within a number would move the cursor.
        setTyped(isAtEnd && read !== undefined ? read.text : field.value)
      }}
    >
      <input type="hidden" name={name} value={value} />
      {sorted.length > 0 && (
        <span class="country">
          <span aria-hidden="true" class="country-code">
            {country} +{phones?.callingCode(country)}
          </span>
          <label class="hidden" for={id}>
            {t('label.country')}
          </label>
          <select
            id={id}
            value={country}
            autocomplete="tel-country-code"
            onChange={(event) => {
              chosen.current = true
              setCountry(event.currentTarget.value)
            }}
          >
            {sorted.map(({ code, name: shown }) => (
              <option key={code} value={code}>
                {`${shown} (+${phones?.callingCode(code)})`}
              </option>
            ))}
          </select>
        </span>
      )}
    </Field>
  )
}
