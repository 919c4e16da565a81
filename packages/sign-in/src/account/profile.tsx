import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { attributeValue, type ProfileField } from '../flow/profile-field.ts'
import { StepContext } from '../flow/step.ts'
import { attributeName, ProfileFields } from '../screens/profile.tsx'
import { dateInWords, useWords } from '../texts/texts.ts'
import { Button, typedIn } from '../widgets/form.tsx'
import type { AccountView } from './account-view.ts'
import { noStep, Section } from './parts.tsx'

/** What people are asked for; others are shown once they are there. */
const usual = ['/name', '/given_name', '/family_name', '/nickname', '/birthdate', '/website']
const known = [...usual, '/middle_name', '/gender', '/profile', '/picture', '/zoneinfo', '/locale']

/** The profile: shown as a list, changed in a form. */
export function Profile({ view }: { readonly view: AccountView }): JSX.Element {
  const words = useWords()
  const { t, language } = words
  const [isEdited, setEdited] = useState(false)
  const { account, settings, act, isBusy } = view
  const { standard_attributes, custom_attributes, created_at } = account.user
  const values: Record<string, unknown> = {}
  for (const pointer of known) values[pointer] = standard_attributes[pointer.slice(1)]
  for (const { pointer } of settings.attributes) {
    values[pointer] = custom_attributes[pointer.slice(1)]
  }
  const isThere = (pointer: string): boolean => values[pointer] !== undefined
  const standard = known.filter((pointer) => usual.includes(pointer) || isThere(pointer))
  const shown = [...known, ...settings.attributes.map(({ pointer }) => pointer)].filter(isThere)
  const fields: readonly ProfileField[] = [
    ...standard.map((pointer) => ({ pointer })),
    ...settings.attributes.filter(({ isReadOnly }) => !isReadOnly),
  ]
  return (
    <Section
      id="profile"
      title={t('account.profile')}
      text={t('account.since', { date: dateInWords(created_at, language) })}
      actions={
        isEdited ? undefined : (
          <Button look="plain" onClick={() => setEdited(true)}>
            {t('account.edit')}
          </Button>
        )
      }
    >
      {isEdited ? (
        <form
          class="form"
          noValidate
          aria-label={t('account.profile')}
          onSubmit={(event) => {
            event.preventDefault()
            const form = event.currentTarget
            const changes = fields.flatMap((field) => {
              const value = attributeValue(typedIn(form, field.pointer), field)
              if (value === values[field.pointer]) return []
              return [{ pointer: field.pointer, ...(value === undefined ? {} : { value }) }]
            })
            if (changes.length === 0) return setEdited(false)
            // What was refused stays in its fields.
            void act((auth) => auth.account.updateProfile(changes)).then((isDone) => {
              if (isDone) setEdited(false)
            })
          }}
        >
          {/* Fields tell what was refused by the step that they are in; here there is none. */}
          <StepContext.Provider value={noStep}>
            <ProfileFields fields={fields} values={values} />
          </StepContext.Provider>
          <div class="button-row">
            <Button type="submit" isBusy={isBusy}>
              {t('account.save')}
            </Button>
            <Button look="quiet" onClick={() => setEdited(false)}>
              {t('cancel')}
            </Button>
          </div>
        </form>
      ) : shown.length === 0 ? (
        <p class="muted">{t('account.none')}</p>
      ) : (
        <dl class="facts">
          {shown.map((pointer) => (
            <div key={pointer}>
              <dt>{attributeName(pointer, words)}</dt>
              <dd>
                <bdi>{String(values[pointer])}</bdi>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </Section>
  )
}
