import type { Account, Identity } from '@gatehouse/client'
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

/** The attributes of the profile that name the address for messages. */
const primaryPointers = { email: '/email', phone: '/phone_number' } as const
const isAddressKind = (kind: string): kind is keyof typeof primaryPointers =>
  Object.hasOwn(primaryPointers, kind)

/** Whether an address is the one for messages, and what makes it that; `undefined` for what is no address. */
function primaryOf(
  identity: Identity,
  { identities, user }: Account,
):
  | {
      readonly isSet: boolean
      readonly hasOthers: boolean
      readonly change: { readonly pointer: string; readonly value: string }
    }
  | undefined {
  if (identity.type !== 'login_id' || !isAddressKind(identity.login_id_type)) return undefined
  const { login_id_type: kind, normalized: value } = identity
  const pointer = primaryPointers[kind]
  const isAlike = (one: Identity): boolean => one.type === 'login_id' && one.login_id_type === kind
  return {
    isSet: user.standard_attributes[pointer.slice(1)] === value,
    hasOthers: identities.filter(isAlike).length > 1,
    change: { pointer, value },
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
        const primary = primaryOf(identity, account)
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
              primary && (
                <>
                  <span class={`badge ${identity.is_verified ? 'good' : 'open'}`}>
                    {t(identity.is_verified ? 'account.verified' : 'account.unverified')}
                  </span>{' '}
                  {primary.isSet && primary.hasOthers && (
                    <span class="badge open">{t('account.primary')}</span>
                  )}
                </>
              )
            }
          >
            {primary?.hasOthers && !primary.isSet && identity.is_verified && (
              <Button
                look="quiet"
                disabled={isBusy}
                aria-label={t('account.about', { what: t('account.primary.make'), name })}
                onClick={() => act((auth) => auth.account.updateProfile([primary.change]))}
              >
                {t('account.primary.make')}
              </Button>
            )}
            {changes.verify_identity.includes(identity.id) && (
              <Button
                look="quiet"
                aria-label={t('account.about', { what: t('account.verify'), name })}
                onClick={() => change({ verify_identity: identity.id })}
              >
                {t('account.verify')}
              </Button>
            )}
            {changes.replace_identity.includes(identity.id) && (
              <Button
                look="quiet"
                aria-label={t('account.about', { what: t('account.replace'), name })}
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
