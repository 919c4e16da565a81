import { type CreateAuthenticatorOption, createPasskey } from '@gatehouse/client'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { type ScreenProps, useStep } from '../flow/step.ts'
import { useWords } from '../texts/texts.ts'
import { useBotCheck } from '../widgets/bot-check.tsx'
import { CopyButton } from '../widgets/copy-button.tsx'
import {
  Button,
  Checkbox,
  Choice,
  CodeField,
  Field,
  Heading,
  ProblemLine,
  StepForm,
  typedIn,
} from '../widgets/form.tsx'
import type { IconName } from '../widgets/icons.tsx'
import { NewPassword } from '../widgets/new-password.tsx'
import { PhoneField } from '../widgets/phone-field.tsx'
import { plainCode } from '../widgets/plain-code.ts'
import { QrCode } from '../widgets/qr-code.tsx'
import { CustomForm } from './custom.tsx'

const isPassword = (name: string): boolean => name.endsWith('_password')

/** Sets up an authenticator: a password, codes to an address, an app. */
export function CreateAuthenticator({
  flow,
}: ScreenProps<'create_authenticator_data'>): JSX.Element {
  const { options } = flow.action.data
  const [only, ...others] = options
  const [chosen, setChosen] = useState(others.length === 0 ? only : undefined)
  const { submit, isBusy } = useStep()
  const { t } = useWords()
  if (chosen === undefined) {
    const words = only?.authentication.startsWith('primary_') ? 'set-up.first' : 'set-up'
    return (
      <>
        <Heading title={t(`${words}.title`)}>{t(`${words}.text`)}</Heading>
        <ProblemLine />
        <div class="choices">
          {options.map((option, index) => {
            const { icon, title } = nameOf(option)
            const target = 'target' in option ? option.target?.masked_display_name : undefined
            const isReady =
              option.authentication === 'secondary_totp' && option.bot_protection === undefined
            return (
              <Choice
                key={option.authentication}
                icon={icon}
                title={t(title)}
                text={target === undefined ? undefined : t('set-up.target', { target })}
                isFirst={index === 0}
                disabled={isBusy}
                onClick={() => {
                  if (isReady) void submit({ authentication: option.authentication })
                  else setChosen(option)
                }}
              />
            )
          })}
        </div>
      </>
    )
  }
  return (
    <>
      <SetUp option={chosen} />
      {others.length > 0 && (
        <Button look="quiet" onClick={() => setChosen(undefined)}>
          {t('other')}
        </Button>
      )}
    </>
  )
}

function nameOf({ authentication }: CreateAuthenticatorOption): {
  icon: IconName
  title: 'set-up.password' | 'set-up.totp' | 'set-up.email' | 'set-up.sms'
} {
  if (isPassword(authentication)) return { icon: 'lock', title: 'set-up.password' }
  if (authentication === 'secondary_totp') return { icon: 'phone', title: 'set-up.totp' }
  return authentication.endsWith('_sms')
    ? { icon: 'message', title: 'set-up.sms' }
    : { icon: 'mail', title: 'set-up.email' }
}

function SetUp({ option }: { readonly option: CreateAuthenticatorOption }): JSX.Element {
  const { submit, login } = useStep()
  const { t } = useWords()
  const bots = useBotCheck(option.bot_protection?.enabled === true)
  const { authentication } = option
  const send = (members: object): Promise<void> | undefined =>
    bots.isMissing ? undefined : submit({ authentication, ...members, ...bots.members })
  if ('password_policy' in option) {
    return (
      <>
        <Heading title={t('set-password.title')} />
        <StepForm
          submitText={t('set-password.submit')}
          onSubmit={(form) => send({ new_password: typedIn(form, 'password') })}
        >
          <NewPassword policy={option.password_policy} login={login} />
          {bots.widget}
        </StepForm>
      </>
    )
  }
  if (!('channels' in option)) {
    return authentication === 'secondary_totp' ? (
      <>
        <Heading title={t('totp-setup.title')} />
        <StepForm onSubmit={() => send({})}>{bots.widget}</StepForm>
      </>
    ) : (
      <CustomForm name={authentication} input={{ authentication }} isAlone />
    )
  }
  const isPhone = authentication.endsWith('_sms')
  const target = option.target?.masked_display_name
  const [first, ...more] = option.channels
  return (
    <>
      <Heading title={t(isPhone ? 'set-up.sms' : 'set-up.email')}>
        {target === undefined ? undefined : t('set-up.target', { target })}
      </Heading>
      <StepForm
        onSubmit={(form) =>
          send({
            ...(target === undefined ? { target: typedIn(form, 'target').trim() } : {}),
            channel: more.length === 0 ? first : typedIn(form, 'channel'),
          })
        }
      >
        {target === undefined &&
          (isPhone ? (
            <PhoneField name="target" isFirst />
          ) : (
            <Field
              label={t('label.email')}
              name="target"
              type="email"
              autocomplete="email"
              dir="ltr"
              isAsked
              isFirst
              required
            />
          ))}
        {more.length > 0 && (
          <fieldset class="radios">
            <legend>{t('channel.title')}</legend>
            {option.channels.map((channel, index) => (
              <label class="checkbox" key={channel}>
                <input type="radio" name="channel" value={channel} defaultChecked={index === 0} />
                <span>{t(`channel.${channel}`)}</span>
              </label>
            ))}
          </fieldset>
        )}
        {bots.widget}
      </StepForm>
    </>
  )
}

/** Adds the secret to an authenticator app, and proves it by a code. */
export function CreateTotp({ flow }: ScreenProps<'create_totp_data'>): JSX.Element {
  const { submit } = useStep()
  const { t } = useWords()
  const { secret, otpauth_uri: uri } = flow.action.data
  const groups = secret.match(/.{1,4}/g) ?? [secret]
  return (
    <>
      <Heading title={t('totp-setup.title')}>{t('totp-setup.text')}</Heading>
      <QrCode text={uri} label={t('totp-setup.qr')} />
      <p class="center touch-only">
        <a href={uri}>{t('totp-setup.open')}</a>
      </p>
      <div class="secret">
        <span class="muted">{t('totp-setup.secret')}</span>
        <div class="secret-row">
          <code dir="ltr">{groups.join(' ')}</code>
          <CopyButton text={secret} />
        </div>
      </div>
      <StepForm onSubmit={(form) => submit({ code: plainCode(typedIn(form, 'code')) })}>
        <CodeField label={t('label.code')} name="code" length={6} isAsked isFirst required />
      </StepForm>
    </>
  )
}

/** Shows recovery codes, once: to keep, download or print them. */
export function ViewRecoveryCode({ flow }: ScreenProps<'view_recovery_code_data'>): JSX.Element {
  const { submit, settings } = useStep()
  const { t } = useWords()
  const [isKept, setKept] = useState(false)
  const { recovery_codes: codes } = flow.action.data
  const download = (): void => {
    const text = `${t('codes.file')}\n\n${codes.join('\n')}\n`
    const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
    const link = document.createElement('a')
    link.href = url
    link.download = `recovery-codes-${settings.name.replace(/[^\w.-]+/g, '-')}.txt`
    link.click()
    URL.revokeObjectURL(url)
  }
  return (
    <>
      <Heading title={t('codes.title')}>{t('codes.text')}</Heading>
      <ul class="codes" dir="ltr">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div class="button-row keeping no-print">
        <CopyButton text={codes.join('\n')} />
        <Button look="plain" icon="download" onClick={download}>
          {t('download')}
        </Button>
        <Button look="plain" icon="print" onClick={() => print()}>
          {t('print')}
        </Button>
      </div>
      <div class="no-print">
        <StepForm
          submitText=""
          onSubmit={() => (isKept ? submit({ confirm_recovery_code: true }) : undefined)}
        >
          <Checkbox
            name="kept"
            label={t('codes.kept')}
            checked={isKept}
            onChange={(event) => setKept(event.currentTarget.checked)}
          />
          <Button type="submit" disabled={!isKept}>
            {t('continue')}
          </Button>
        </StepForm>
      </div>
    </>
  )
}

/** Offers a passkey for the next time, which people may decline. */
export function CreatePasskey({ flow }: ScreenProps<'create_passkey_data'>): JSX.Element {
  const { submit, fail, isBusy } = useStep()
  const { t } = useWords()
  const { creation_options: creation, allow_do_not_ask_again: mayNever } = flow.action.data
  const isOffer = flow.type !== 'account'
  return (
    <>
      <Heading title={t('create-passkey.title')}>{t('create-passkey.text')}</Heading>
      <div class="envelope">
        <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
          <path d="M7 4H4v3M17 4h3v3M7 20H4v-3M17 20h3v-3M9 10v1M15 10v1M12 9.5v3.5h-1M9.5 15.5c1.500 1.300 3.500 1.300 5 0" />
        </svg>
      </div>
      <ProblemLine />
      <Button
        data-first
        icon="key"
        isBusy={isBusy}
        onClick={() => {
          createPasskey(creation).then((creation_response) => submit({ creation_response }), fail)
        }}
      >
        {t('create-passkey.submit')}
      </Button>
      {isOffer && (
        <Button look="quiet" onClick={() => submit({ skip: true })}>
          {t('skip')}
        </Button>
      )}
      {isOffer && mayNever === true && (
        <Button look="quiet" onClick={() => submit({ skip: true, do_not_ask_again: true })}>
          {t('create-passkey.never')}
        </Button>
      )}
    </>
  )
}

/** Chooses another password: because the old one must change, or is forgotten. */
export function ChangePassword({ flow }: ScreenProps<'new_password_data'>): JSX.Element {
  const { submit, login } = useStep()
  const { t } = useWords()
  const { data } = flow.action
  const why = 'force_change_reason' in data ? data.force_change_reason : undefined
  return (
    <>
      <Heading title={t('set-password.again')}>
        {why === undefined ? undefined : t(`set-password.${why}`)}
      </Heading>
      <StepForm
        submitText={t('set-password.submit')}
        onSubmit={(form) => submit({ new_password: typedIn(form, 'password') })}
      >
        <NewPassword policy={data.password_policy} login={login} />
      </StepForm>
    </>
  )
}
