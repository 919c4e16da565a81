import type { Identity } from '@gatehouse/client'
import type { JSX } from 'preact'
import { addTitle } from '../screens/identify.tsx'
import { dateInWords, useWords } from '../texts/texts.ts'
import { Button } from '../widgets/form.tsx'
import { type IconName, ProviderMark, providerName } from '../widgets/icons.tsx'
import type { AccountView } from './account-view.ts'
import { RemoveButton, Row, Section } from './parts.tsx'

const icons: Readonly<Record<string, IconName>> = {
  email: 'mail',
  phone: 'phone',
  username: 'user',
}

function nameOf(identity: Identity): string {
  switch (identity.type) {
    case 'login_id':
      return identity.original
    case 'oauth':
      return (
        identity.email ?? identity.phone_number ?? identity.preferred_username ?? identity.subject
      )
    case 'custom':
      return identity.identification
    default:
      return identity.id
  }
}

/** How one signs in: addresses, names and accounts elsewhere. */
export function Logins({ view }: { readonly view: AccountView }): JSX.Element {
  const { t, language } = useWords()
  const { account, change, act, isBusy } = view
  const { changes } = account
  const shown = account.identities.filter(({ type }) => type !== 'anonymous')
  return (
    <Section
      id="logins"
      title={t('account.logins')}
      actions={changes.add_identity.map((name) => (
        <Button key={name} look="plain" icon="plus" onClick={() => change({ add_identity: name })}>
          {addTitle(name, t)}
        </Button>
      ))}
    >
      {shown.length === 0 && <p class="muted">{t('account.none')}</p>}
      {shown.map((identity) => {
        const name = nameOf(identity)
        const kind = identity.type === 'login_id' ? identity.login_id_type : identity.type
        const isAddress = kind === 'email' || kind === 'phone'
        return (
          <Row
            key={identity.id}
            icon={icons[kind] ?? 'key'}
            mark={
              identity.type === 'oauth' ? <ProviderMark type={identity.provider_type} /> : undefined
            }
            title={name}
            text={
              identity.type === 'oauth'
                ? providerName(identity.provider_type, identity.provider_alias)
                : t('account.added', { date: dateInWords(identity.created_at, language) })
            }
            badge={
              isAddress ? (
                <span class={`badge ${identity.is_verified ? 'good' : 'open'}`}>
                  {t(identity.is_verified ? 'account.verified' : 'account.unverified')}
                </span>
              ) : undefined
            }
          >
            {changes.verify_identity.includes(identity.id) && (
              <Button
                look="quiet"
                aria-label={`${t('account.verify')}: ${name}`}
                onClick={() => change({ verify_identity: identity.id })}
              >
                {t('account.verify')}
              </Button>
            )}
            {changes.replace_identity.includes(identity.id) && (
              <Button
                look="quiet"
                aria-label={`${t('account.replace')}: ${name}`}
                onClick={() => change({ replace_identity: identity.id })}
              >
                {t('account.replace')}
              </Button>
            )}
            <RemoveButton
              name={name}
              disabled={isBusy}
              onRemove={() => act((auth) => auth.account.removeIdentity(identity.id))}
            />
          </Row>
        )
      })}
    </Section>
  )
}
