import type { AccountAuthenticator } from '@gatehouse/client'
import type { JSX } from 'preact'
import { dateInWords, useWords, type Words } from '../texts/texts.ts'
import { Button } from '../widgets/form.tsx'
import type { IconName } from '../widgets/icons.tsx'
import type { AccountView } from './account-view.ts'
import { RemoveButton, Row, Section } from './parts.tsx'

/** Whether a person has named an app. The service names one by the instant at which it was added, which the row says in words. */
const isNamed = (name: string | undefined): name is string =>
  name !== undefined && !/^TOTP @ \d{4}-/.test(name)

function nameOf(
  { type, target = '', display_name: own, authentication }: AccountAuthenticator,
  { t }: Words,
): { icon: IconName; title: string } {
  switch (type) {
    case 'password':
      return { icon: 'lock', title: t('account.password') }
    case 'passkey':
      return { icon: 'key', title: own ?? t('account.passkey') }
    case 'totp':
      return { icon: 'phone', title: isNamed(own) ? own : t('account.totp') }
    case 'oob_otp_email':
      return { icon: 'mail', title: t('account.oob.email', { target }) }
    case 'oob_otp_sms':
      return {
        icon: 'message',
        title: t('account.oob.sms', { target }),
      }
    default:
      return { icon: 'shield', title: own ?? authentication }
  }
}

/** The names that the service takes, which `changes` lists as texts. */
type Names = Extract<
  Parameters<AccountView['change']>[0],
  { create_authenticator: unknown }
>['create_authenticator']

interface SecurityProps {
  readonly view: AccountView
}

/** An authenticator of the account. */
function AuthenticatorRow({
  view: { account, change, act, isBusy },
  authenticator: one,
}: SecurityProps & { readonly authenticator: AccountAuthenticator }): JSX.Element {
  const words = useWords()
  const { t, language } = words
  const { icon, title } = nameOf(one, words)
  const isPassword = one.type === 'password'
  const key = isPassword ? 'account.password.set' : 'account.added'
  return (
    <Row icon={icon} title={title} text={t(key, { date: dateInWords(one.updated_at, language) })}>
      {isPassword && account.changes.change_password.includes(one.kind) && (
        <Button
          look="quiet"
          aria-label={t('account.about', { what: t('account.replace'), name: title })}
          onClick={() => change({ change_password: one.kind })}
        >
          {t('account.replace')}
        </Button>
      )}
      {!(isPassword && one.kind === 'primary') && (
        <RemoveButton
          name={title}
          disabled={isBusy}
          onRemove={() => act((auth) => auth.account.removeAuthenticator(one.id))}
        />
      )}
    </Row>
  )
}

function Passwords({ view }: SecurityProps): JSX.Element {
  const { t } = useWords()
  const { account, change } = view
  const passwords = account.authenticators.filter(({ type }) => type === 'password')
  return (
    <Section
      id="password"
      title={t('account.password')}
      actions={
        account.changes.create_authenticator.includes('primary_password') ? (
          <Button
            look="plain"
            icon="plus"
            onClick={() => change({ create_authenticator: ['primary_password'] })}
          >
            {t('account.password.add')}
          </Button>
        ) : undefined
      }
    >
      {passwords.length === 0 && <p class="muted">{t('account.password.none')}</p>}
      {passwords.map((one) => (
        <AuthenticatorRow key={one.id} view={view} authenticator={one} />
      ))}
    </Section>
  )
}

function Passkeys({ view }: SecurityProps): JSX.Element | null {
  const { t } = useWords()
  const { account, change } = view
  const passkeys = account.authenticators.filter(({ type }) => type === 'passkey')
  const canCreate = account.changes.create_passkey
  if (passkeys.length === 0 && !canCreate) return null
  return (
    <Section
      id="passkeys"
      title={t('account.passkeys')}
      actions={
        canCreate ? (
          <Button look="plain" icon="plus" onClick={() => change({ create_passkey: true })}>
            {t('create-passkey.submit')}
          </Button>
        ) : undefined
      }
    >
      {passkeys.length === 0 && <p class="muted">{t('account.passkeys.none')}</p>}
      {passkeys.map((one) => (
        <AuthenticatorRow key={one.id} view={view} authenticator={one} />
      ))}
    </Section>
  )
}

function SecondFactors({ view }: SecurityProps): JSX.Element | null {
  const { t } = useWords()
  const { account, change, act, isBusy } = view
  const { changes, recovery_codes: codes, device_tokens: devices } = account
  const others = account.authenticators.filter(
    ({ type }) => type !== 'password' && type !== 'passkey',
  )
  const addable = changes.create_authenticator.filter((name) => name.startsWith('secondary_'))
  if (others.length === 0 && addable.length === 0) return null
  return (
    <Section
      id="second"
      title={t('account.second')}
      actions={
        addable.length > 0 ? (
          <Button
            look="plain"
            icon="plus"
            onClick={() => change({ create_authenticator: addable as Names })}
          >
            {t('account.add')}
          </Button>
        ) : undefined
      }
    >
      {others.length === 0 && <p class="muted">{t('account.second.none')}</p>}
      {others.map((one) => (
        <AuthenticatorRow key={one.id} view={view} authenticator={one} />
      ))}
      {(codes > 0 || changes.create_recovery_codes) && (
        <Row
          icon="list"
          title={t('account.codes')}
          text={t('account.codes.left', { count: codes })}
        >
          {changes.create_recovery_codes && (
            <Button look="quiet" onClick={() => change({ create_recovery_codes: true })}>
              {t('account.codes.new')}
            </Button>
          )}
        </Row>
      )}
      {devices > 0 && (
        <Row
          icon="shield"
          title={t('account.devices')}
          text={t('account.devices.count', { count: devices })}
        >
          <Button
            look="quiet"
            disabled={isBusy}
            onClick={() => act((auth) => auth.account.revokeDeviceTokens())}
          >
            {t('account.devices.revoke')}
          </Button>
        </Row>
      )}
    </Section>
  )
}

/** Passwords, passkeys and second factors, with recovery codes and trusted devices. */
export function Security({ view }: SecurityProps): JSX.Element {
  return (
    <>
      <Passwords view={view} />
      <Passkeys view={view} />
      <SecondFactors view={view} />
    </>
  )
}
