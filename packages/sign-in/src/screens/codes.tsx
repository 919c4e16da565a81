import type { Channel } from '@gatehouse/client'
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { type ScreenProps, useStep } from '../flow/step.ts'
import { whenApproved } from '../flow/when-approved.ts'
import { useWords } from '../texts/texts.ts'
import { useCountdown } from '../widgets/countdown.ts'
import {
  Button,
  Choice,
  CodeField,
  Field,
  Heading,
  ProblemLine,
  StepForm,
  typedIn,
} from '../widgets/form.tsx'
import { Icon } from '../widgets/icons.tsx'
import { plainCode } from '../widgets/plain-code.ts'

const iconOf = (channel: Channel) => (channel === 'email' ? 'mail' : 'message')

/** Chooses how a code is sent. */
export function SelectChannel({ flow }: ScreenProps<'select_oob_otp_channels_data'>): JSX.Element {
  const { submit, isBusy } = useStep()
  const { t } = useWords()
  const { channels, masked_claim_value: target } = flow.action.data
  return (
    <>
      <Heading title={t('channel.title')}>{t('channel.text', { target })}</Heading>
      <ProblemLine />
      <div class="choices">
        {channels.map((channel, at) => (
          <Choice
            key={channel}
            icon={iconOf(channel)}
            title={t(`channel.${channel}`)}
            isFirst={at === 0}
            disabled={isBusy}
            onClick={() => submit({ channel })}
          />
        ))}
      </div>
    </>
  )
}

/** Chooses where the code or link of an account recovery goes. */
export function SelectDestination({
  flow,
}: ScreenProps<'account_recovery_select_destination_data'>): JSX.Element {
  const { submit, isBusy } = useStep()
  const { t } = useWords()
  return (
    <>
      <Heading title={t('destination.title')} />
      <ProblemLine />
      <div class="choices">
        {flow.action.data.options.map(({ channel, masked_display_name: target }, index) => (
          <Choice
            key={`${channel}-${target}`}
            icon={iconOf(channel)}
            title={t(`way.${channel}`, { target })}
            isFirst={index === 0}
            disabled={isBusy}
            onClick={() => submit({ index })}
          />
        ))}
      </div>
    </>
  )
}

const clock = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`

/** Sends another code or link, as soon as the service would. */
function Resend({
  form,
  until,
}: {
  readonly form: 'code' | 'link'
  readonly until: string
}): JSX.Element {
  const { submit, isBusy } = useStep()
  const { t } = useWords()
  const left = useCountdown(until)
  return (
    <Button look="quiet" disabled={left > 0 || isBusy} onClick={() => submit({ resend: true })}>
      {left > 0 ? t(`${form}.resend.in`, { time: clock(left) }) : t(`${form}.resend`)}
    </Button>
  )
}

interface Sent {
  readonly form: 'code' | 'link'
  readonly channel: Channel
  readonly target: string
  readonly length: number
  readonly until: string
  readonly delivery: 'sending' | 'sent' | 'failed' | 'none'
  /** The member of the input. */
  readonly member: 'code' | 'account_recovery_code'
}

const codeTexts = {
  sending: 'code.sending',
  sent: 'code.text',
  failed: 'code.failed',
  none: 'code.unsent',
} as const

/** One field for a code that was sent. */
function SentCode({ sent, token }: { readonly sent: Sent; readonly token: string }): JSX.Element {
  const { submit, isResent, problem } = useStep()
  const { t } = useWords()
  const { channel, length, delivery, member, target } = sent
  return (
    <>
      <Heading title={t(`code.title.${channel}`)}>
        {t(codeTexts[delivery], { target, length })}
      </Heading>
      <StepForm
        key={token}
        onSubmit={(form) => submit({ [member]: plainCode(typedIn(form, 'code')) })}
      >
        <CodeField
          label={t('label.code')}
          name="code"
          length={length}
          maxLength={length + 4}
          isAsked
          isFirst
          required
        />
      </StepForm>
      <p class="status" role="status">
        {isResent && problem === undefined ? t('code.resent') : ''}
      </p>
      <Resend form="code" until={sent.until} />
    </>
  )
}

/** A code or link that proves an address: the code is typed here, the link may be opened anywhere. */
export function VerifyOtp({ flow }: ScreenProps<'verify_oob_otp_data'>): JSX.Element {
  const { data } = flow.action
  return data.otp_form === 'code' ? (
    <SentCode
      token={flow.token}
      sent={{
        form: 'code',
        member: 'code',
        channel: data.channel,
        target: data.masked_claim_value,
        length: data.code_length,
        until: data.can_resend_at,
        delivery: data.is_unsent ? 'none' : data.delivery_status,
      }}
    />
  ) : (
    <SentLink flow={flow} />
  )
}

function SentLink({ flow }: ScreenProps<'verify_oob_otp_data'>): JSX.Element {
  const { submit, isResent } = useStep()
  const { t } = useWords()
  const [isEarly, setEarly] = useState(false)
  const { channel, masked_claim_value: target, can_resend_at: until, is_unsent } = flow.action.data
  useEffect(() => whenApproved(flow, () => submit({ check: true })), [flow, submit])
  const title = channel === 'email' ? 'link.title' : 'link.title.sms'
  return (
    <>
      <Heading title={t(title)}>{t(is_unsent ? 'link.unsent' : 'link.text', { target })}</Heading>
      <ProblemLine />
      <p class="waiting" role="status">
        <span class="spinner" aria-hidden="true" />
        {isEarly ? t('link.not.yet') : isResent ? t('link.resent') : t('link.waiting')}
      </p>
      <Button
        look="plain"
        onClick={async () => {
          setEarly(false)
          const now = await flow.refresh().catch(() => undefined)
          const isOpen = now?.prompt === 'verify_oob_otp_data' && !now.action.data.can_check
          if (isOpen) setEarly(true)
          else await submit({ check: true })
        }}
      >
        {t('link.check')}
      </Button>
      <Resend form="link" until={until} />
    </>
  )
}

/** The code of an account recovery. A link is opened, and leads to this page in any browser. */
export function VerifyRecoveryCode({
  flow,
}: ScreenProps<'account_recovery_verify_code_data'>): JSX.Element {
  const { submit, isResent, problem } = useStep()
  const { t } = useWords()
  const { data } = flow.action
  if (data.otp_form === 'code') {
    return (
      <SentCode
        token={flow.token}
        sent={{
          form: 'code',
          member: 'account_recovery_code',
          channel: data.channel,
          target: data.masked_display_name,
          length: data.code_length,
          until: data.can_resend_at,
          delivery: data.is_unsent ? 'none' : 'sent',
        }}
      />
    )
  }
  const { masked_display_name: target } = data
  return (
    <>
      <Heading title={t(data.channel === 'email' ? 'link.title' : 'link.title.sms')}>
        {t(data.is_unsent ? 'link.recovery.unsent' : 'link.recovery', { target })}
      </Heading>
      <div class="envelope">
        <Icon name="mail" />
      </div>
      <details class="details">
        <summary>{t('link.by-hand')}</summary>
        <StepForm
          key={flow.token}
          onSubmit={(form) => submit({ account_recovery_code: typedIn(form, 'code').trim() })}
        >
          <Field
            label={t('label.code')}
            name="code"
            autocomplete="off"
            dir="ltr"
            isAsked
            required
          />
        </StepForm>
      </details>
      <p class="status" role="status">
        {isResent && problem === undefined ? t('link.resent') : ''}
      </p>
      <Resend form="link" until={data.can_resend_at} />
    </>
  )
}
