import {
  type AuthenticateOption,
  type Channel,
  type PasskeyRequestOptions,
  usePasskey,
} from '@gatehouse/client'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { type ScreenProps, useStep } from '../flow/step.ts'
import { useWords, type Write } from '../texts/texts.ts'
import { useBotCheck } from '../widgets/bot-check.tsx'
import {
  Button,
  Checkbox,
  Choice,
  CodeField,
  Field,
  Heading,
  PasswordField,
  ProblemLine,
  RememberedLogin,
  StepForm,
  typedIn,
} from '../widgets/form.tsx'
import type { IconName } from '../widgets/icons.tsx'
import { plainCode } from '../widgets/plain-code.ts'
import { CustomForm } from './custom.tsx'

/** One way to prove who one is, as a person sees it. */
interface Way {
  readonly option: AuthenticateOption
  readonly index: number
  readonly channel?: Channel
}

function waysOf(options: readonly AuthenticateOption[]): readonly Way[] {
  return options.flatMap((option, index): readonly Way[] =>
    'channels' in option
      ? option.channels.map((channel) => ({ option, index, channel }))
      : [{ option, index }],
  )
}

/** A way in words, with its picture. */
export function nameOfWay({ option, channel }: Way, t: Write): { icon: IconName; title: string } {
  const target = 'masked_display_name' in option ? option.masked_display_name : ''
  switch (option.authentication) {
    case 'primary_password':
    case 'secondary_password':
      return { icon: 'lock', title: t('way.password') }
    case 'primary_passkey':
      return { icon: 'key', title: t('way.passkey') }
    case 'secondary_totp':
      return { icon: 'phone', title: t('way.totp') }
    case 'recovery_code':
      return { icon: 'list', title: t('way.recovery') }
    default:
      return channel === undefined
        ? { icon: 'shield', title: String((option as { authentication: string }).authentication) }
        : { icon: channel === 'email' ? 'mail' : 'message', title: t(`way.${channel}`, { target }) }
  }
}

/** Proves who one is. With several ways the likeliest is shown, and the others are one press away. */
export function Authenticate({ flow }: ScreenProps<'authentication_data'>): JSX.Element {
  const { options, device_token_enabled: canTrust } = flow.action.data
  const ways = waysOf(options)
  const { submit, isBusy, settings } = useStep()
  const { t } = useWords()
  // A message is not sent before a person asks for it.
  const [chosen, setChosen] = useState<Way | undefined>(() =>
    ways[0] !== undefined && ways[0].channel === undefined ? ways[0] : undefined,
  )
  const [isTrusted, setTrusted] = useState(false)
  const bots = useBotCheck(chosen !== undefined && chosen.option.bot_protection?.enabled === true)
  const [waiting, setWaiting] = useState<Way | undefined>(undefined)
  const choose = (way: Way): void => {
    if (way.channel === undefined || way.option.bot_protection?.enabled === true) {
      setChosen(way)
    } else {
      setWaiting(way)
      void submit(inputOf(way, isTrusted))
    }
  }
  const trust = canTrust && (
    <Checkbox
      name="trust"
      label={t('trust')}
      checked={isTrusted}
      onChange={(event) => setTrusted(event.currentTarget.checked)}
    />
  )
  if (chosen === undefined) {
    return (
      <>
        <Heading title={t('choose.title')}>{t('choose.text')}</Heading>
        <ProblemLine />
        <div class="choices">
          {ways.map((way, at) => (
            <Choice
              key={`${way.index}-${way.channel}`}
              {...nameOfWay(way, t)}
              isFirst={at === 0}
              disabled={isBusy}
              aria-busy={(isBusy && waiting === way) || undefined}
              onClick={() => choose(way)}
            />
          ))}
        </div>
        {trust}
      </>
    )
  }
  return (
    <>
      <ChosenWay way={chosen} bots={bots} trust={trust || null} isTrusted={isTrusted} />
      {ways.length > 1 && (
        <Button look="quiet" onClick={() => setChosen(undefined)}>
          {t('other')}
        </Button>
      )}
      {/^primary_password/.test(chosen.option.authentication) &&
        flow.type === 'login' &&
        settings.flows.recovery !== undefined && <ForgotLink />}
    </>
  )
}

function ForgotLink(): JSX.Element {
  const { pageUrl } = useStep()
  const { t } = useWords()
  return (
    <p class="center">
      <a href={pageUrl('recovery')}>{t('to.recovery')}</a>
    </p>
  )
}

const inputOf = ({ option, index, channel }: Way, isTrusted: boolean): object => ({
  authentication: option.authentication,
  ...(channel === undefined ? {} : { index, channel }),
  ...(isTrusted ? { request_device_token: true } : {}),
})

interface WayProps {
  readonly way: Way
  readonly bots: ReturnType<typeof useBotCheck>
  readonly trust: JSX.Element | null
  readonly isTrusted: boolean
}

function ChosenWay({ way, bots, trust, isTrusted }: WayProps): JSX.Element {
  const { submit, login } = useStep()
  const { t } = useWords()
  const { option } = way
  const send = (members: object): Promise<void> | undefined =>
    bots.isMissing ? undefined : submit({ ...inputOf(way, isTrusted), ...members, ...bots.members })
  switch (option.authentication) {
    case 'primary_password':
    case 'secondary_password':
      return (
        <>
          <Heading title={t('password.title')}>
            {login === '' ? undefined : t('password.text', { name: login })}
          </Heading>
          <StepForm onSubmit={(form) => send({ password: typedIn(form, 'password') })}>
            <RememberedLogin login={login} />
            <PasswordField
              label={t('label.password')}
              name="password"
              autocomplete="current-password"
              data-selects
              isAsked
              isFirst
              required
            />
            {bots.widget}
            {trust}
          </StepForm>
        </>
      )
    case 'primary_passkey':
      return (
        <>
          <Heading title={t('passkey.title')}>{t('passkey.text')}</Heading>
          <ProblemLine />
          {bots.widget}
          {trust}
          <PasskeyButton request={option.request_options} isWaiting={bots.isMissing} send={send} />
        </>
      )
    case 'secondary_totp':
      return (
        <>
          <Heading title={t('totp.title')}>{t('totp.text')}</Heading>
          <StepForm onSubmit={(form) => send({ code: plainCode(typedIn(form, 'code')) })}>
            <AppCode />
            {bots.widget}
            {trust}
          </StepForm>
        </>
      )
    case 'recovery_code':
      return (
        <>
          <Heading title={t('recovery-code.title')}>{t('recovery-code.text')}</Heading>
          <StepForm onSubmit={(form) => send({ recovery_code: plainCode(typedIn(form, 'code')) })}>
            <Field
              label={t('label.recovery')}
              name="code"
              autocomplete="off"
              dir="ltr"
              class="input code"
              isAsked
              isFirst
              required
            />
            {bots.widget}
            {trust}
          </StepForm>
        </>
      )
    default:
      return way.channel === undefined ? (
        <CustomForm
          name={(option as { authentication: string }).authentication}
          input={{ authentication: (option as { authentication: string }).authentication }}
          isAlone
        />
      ) : (
        <>
          <Heading title={t('bot.title')} />
          <StepForm onSubmit={() => send({})}>
            {bots.widget}
            {trust}
          </StepForm>
        </>
      )
  }
}

function PasskeyButton({
  request,
  isWaiting,
  send,
}: {
  readonly request: PasskeyRequestOptions
  readonly isWaiting: boolean
  send(members: object): void
}): JSX.Element {
  const { fail, isBusy } = useStep()
  const { t } = useWords()
  return (
    <Button
      icon="key"
      data-first
      isBusy={isBusy}
      disabled={isWaiting}
      onClick={() => {
        usePasskey(request).then((assertion_response) => send({ assertion_response }), fail)
      }}
    >
      {t('passkey.submit')}
    </Button>
  )
}

/** The code of an authenticator app. A second refusal hints at the clock. */
function AppCode(): JSX.Element {
  const { t } = useWords()
  const { problem } = useStep()
  return (
    <CodeField
      label={t('label.code')}
      name="code"
      length={6}
      isAsked
      isFirst
      required
      hint={problem === undefined ? undefined : t('totp.clock')}
    />
  )
}
