import type { AuthorizedApp } from '@gatehouse/client'
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { dateInWords, joined, useWords } from '../texts/texts.ts'
import type { AccountView } from './account-view.ts'
import { RemoveButton, Row, Section } from './parts.tsx'

/** The apps that the person has let in. Without an authorization server there are none. */
export function Apps({ view }: { readonly view: AccountView }): JSX.Element | null {
  const { t, language } = useWords()
  const { account, act, auth, fail, isBusy } = view
  const [apps, setApps] = useState<readonly AuthorizedApp[]>([])
  // With the account, which is read again after each change.
  useEffect(() => {
    auth.account.apps({ ui_locales: language }).then(setApps, fail)
  }, [auth, account, fail, language])
  if (apps.length === 0) return null
  return (
    <Section id="apps" title={t('account.apps')} text={t('account.apps.text')}>
      {apps.map(({ client_id: id, name, access, authorized_at: since, last_used_at: used }) => {
        const parts = [
          ...access.map(({ api, items }) => {
            const list = new Intl.ListFormat(language, { type: 'unit' }).format(items)
            return api === undefined ? list : t('account.about', { what: api, name: list })
          }),
          t('account.apps.since', { date: dateInWords(since, language) }),
          t('account.apps.used', { date: dateInWords(used, language) }),
        ]
        return (
          <Row key={id} icon="globe" title={name} text={joined(parts, language)}>
            <RemoveButton
              name={name}
              text={t('account.apps.revoke')}
              disabled={isBusy}
              onRemove={() => act((client) => client.account.revokeApp(id))}
            />
          </Row>
        )
      })}
    </Section>
  )
}
