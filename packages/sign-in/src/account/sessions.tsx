import { knownBrowser } from '@gatehouse/client'
import type { JSX } from 'preact'
import { countryInWords, joined, momentInWords, useWords } from '../texts/texts.ts'
import { Button } from '../widgets/form.tsx'
import type { AccountView } from './account-view.ts'
import { RemoveButton, Row, Section } from './parts.tsx'

/** Where one is signed in. */
export function Sessions({ view }: { readonly view: AccountView }): JSX.Element {
  const { t, language } = useWords()
  const { account, act, isBusy } = view
  const sessions = [...account.sessions].sort(
    (a, b) =>
      Number(b.is_current) - Number(a.is_current) ||
      Date.parse(b.last_accessed_at) - Date.parse(a.last_accessed_at),
  )
  return (
    <Section
      id="sessions"
      title={t('account.sessions')}
      actions={
        sessions.length > 1 ? (
          <Button
            look="plain"
            disabled={isBusy}
            onClick={() => act((auth) => auth.account.revokeOtherSessions())}
          >
            {t('account.session.others')}
          </Button>
        ) : undefined
      }
    >
      {sessions.map((session) => {
        const { browser, system } = knownBrowser(session.last_accessed_user_agent)
        const isPhone = system === 'iPhone' || system === 'Android'
        const title =
          browser !== undefined && system !== undefined
            ? t('browser.on', { browser, system })
            : (browser ?? system ?? t('browser.unknown'))
        const seen = t('account.session.seen', {
          date: momentInWords(session.last_accessed_at, language),
        })
        const country = countryInWords(session.geo_location_code, language)
        const about = [seen, session.last_accessed_ip, country]
        return (
          <Row
            key={session.id}
            icon={isPhone ? 'phone' : 'device'}
            title={title}
            text={joined(about, language)}
            badge={
              session.is_current ? (
                <span class="badge good">{t('account.session.this')}</span>
              ) : session.impersonated_by === undefined ? undefined : (
                <span class="badge open">
                  {t('account.session.operator', { name: session.impersonated_by })}
                </span>
              )
            }
          >
            {!session.is_current && (
              <RemoveButton
                name={title}
                text={t('account.session.end')}
                disabled={isBusy}
                onRemove={() => act((auth) => auth.account.revokeSession(session.id))}
              />
            )}
          </Row>
        )
      })}
    </Section>
  )
}
