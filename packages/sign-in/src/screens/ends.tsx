import { leaveForProvider } from '@gatehouse/client'
import type { JSX } from 'preact'
import { type ScreenProps, useStep } from '../flow/step.ts'
import { dateInWords, useWords } from '../texts/texts.ts'
import { Button, Heading, ProblemLine, StepForm } from '../widgets/form.tsx'
import { providerName } from '../widgets/icons.tsx'

/** On to an identity provider: the page leads there by itself, and this is for when it did not. */
export function LeaveForProvider({ flow }: ScreenProps<'oauth_data'>): JSX.Element {
  const { t } = useWords()
  const { oauth_provider_type: type, alias } = flow.action.data
  return (
    <>
      <Heading title={t('leaving.title', { provider: providerName(type, alias) })}>
        {t('leaving.text')}
      </Heading>
      <ProblemLine />
      <Button data-first onClick={() => leaveForProvider(flow)}>
        {t('continue')}
      </Button>
    </>
  )
}

/** Confirms that the other sessions end. */
export function TerminateSessions(_: ScreenProps<'terminate_other_sessions'>): JSX.Element {
  const { submit, pageUrl } = useStep()
  const { t } = useWords()
  return (
    <>
      <Heading title={t('sessions.title')}>{t('sessions.text')}</Heading>
      <StepForm
        submitText={t('sessions.submit')}
        onSubmit={() => submit({ confirm_terminate_other_sessions: true })}
      />
      <p class="center">
        <a href={pageUrl('login')}>{t('cancel')}</a>
      </p>
    </>
  )
}

/** Offers to keep an account whose deletion its user asked for. */
export function KeepAccount({ flow }: ScreenProps<'check_account_status'>): JSX.Element {
  const { submit, pageUrl } = useStep()
  const { t, language } = useWords()
  const date = dateInWords(flow.action.data.delete_at, language)
  return (
    <>
      <Heading title={t('keep.title')}>{t('keep.text', { date })}</Heading>
      <StepForm submitText={t('keep.submit')} onSubmit={() => submit({ keep_account: true })} />
      <p class="center">
        <a href={pageUrl('login')}>{t('keep.leave')}</a>
      </p>
    </>
  )
}

/** The flow is over. Most pages go on by themselves; a recovery says so first. */
export function Finished({ flow }: ScreenProps<'finished'>): JSX.Element {
  const { pageUrl } = useStep()
  const { t } = useWords()
  const isRecovery = flow.type === 'account_recovery'
  return (
    <>
      <Heading title={t(isRecovery ? 'finished.recovery.title' : 'finished.title')}>
        {t(isRecovery ? 'finished.recovery.text' : 'finished.text')}
      </Heading>
      <a class="button primary" data-first href={pageUrl('login')}>
        <span>{t(isRecovery ? 'to.login' : 'continue')}</span>
      </a>
    </>
  )
}
