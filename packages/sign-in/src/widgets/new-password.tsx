import type { PasswordPolicy } from '@gatehouse/client'
import { isClientError } from '@gatehouse/client'
import type { JSX } from 'preact'
import { useId, useState } from 'preact/hooks'
import { rulesOf, strengthOf } from '../flow/password-rules.ts'
import { useStep } from '../flow/step.ts'
import type { TextKey } from '../texts/en.ts'
import { useWords } from '../texts/texts.ts'
import { PasswordField, RememberedLogin } from './form.tsx'
import { Icon } from './icons.tsx'

/** The rules that a refusal names, by their texts. */
const refusedRules: Readonly<Record<string, TextKey>> = {
  PasswordReused: 'policy.history',
  PasswordBelowGuessableLevel: 'policy.strength',
  PasswordContainingExcludedKeywords: 'policy.excluded',
}

/** A new password with its rules and its strength, as one types. Managers of passwords may make it. */
export function NewPassword({
  policy,
  login = '',
}: {
  readonly policy: PasswordPolicy
  /** Who the password is for, so that a manager keeps it with the name. */
  readonly login?: string
}): JSX.Element {
  const { t } = useWords()
  const { failure } = useStep()
  const [password, setPassword] = useState('')
  const [refused, setRefused] = useState('')
  const id = useId()
  const causes = isClientError(failure, 'PasswordPolicyViolated') ? (failure.info.causes ?? []) : []
  const names = causes.flatMap((cause) =>
    'Name' in cause ? [refusedRules[String(cause.Name)]] : [],
  )
  const strength = strengthOf(password)
  return (
    <>
      <RememberedLogin login={login} />
      <PasswordField
        label={t('label.password.new')}
        name="password"
        autocomplete="new-password"
        isAsked
        isFirst
        required
        aria-describedby={id}
        onInput={(event) => {
          setPassword(event.currentTarget.value)
          setRefused(names.length > 0 ? 'typed' : '')
        }}
      />
      <div class="strength" hidden={password === ''}>
        <div class={`meter of-${strength}`} aria-hidden="true">
          <i />
          <i />
          <i />
          <i />
        </div>
        <span aria-live="polite">
          {t('strength.label', { strength: t(`strength.${strength}`) })}
        </span>
      </div>
      <ul class="rules" id={id}>
        {rulesOf(policy, password).map(({ key, count, isMet }) => {
          const isRefused = refused === '' && names.includes(key)
          const state = isRefused ? 'refused' : isMet === true ? 'met' : 'open'
          return (
            <li key={key} class={state}>
              <Icon name={state === 'met' ? 'check' : state === 'refused' ? 'cross' : 'circle'} />
              <span>{t(key, count === undefined ? {} : { count })}</span>
              <span class="hidden">{t(state === 'met' ? 'policy.met' : 'policy.open')}</span>
            </li>
          )
        })}
      </ul>
    </>
  )
}
