import type { Activity as Event } from '@gatehouse/client'
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import {
  countryInWords,
  joined,
  momentInWords,
  type TextKey,
  useWords,
  type Words,
} from '../texts/texts.ts'
import { Button } from '../widgets/form.tsx'
import type { IconName } from '../widgets/icons.tsx'
import type { AccountView } from './account-view.ts'
import { Row, Section } from './parts.tsx'

const pageSize = 10

/** What is said of events, by their types or their last words. */
const texts: readonly (readonly [type: RegExp, key: TextKey, icon: IconName])[] = [
  [/^user\.(created|anonymous\.promoted)$/, 'activity.created', 'user'],
  [/^user\.authenticated$/, 'activity.in', 'device'],
  [/^user\.reauthenticated$/, 'activity.again', 'shield'],
  [/^user\.signed_out$/, 'activity.out', 'device'],
  [/^user\.session\.terminated$/, 'activity.sessions', 'device'],
  [/^user\.profile\.updated$/, 'activity.profile', 'user'],
  [/^user\.deletion_scheduled$/, 'activity.deletion', 'alert'],
  [/^user\.deletion_unscheduled$/, 'activity.kept', 'check'],
  [/^identity\.oauth\.connected$/, 'activity.connected', 'user'],
  [/^identity\.oauth\.disconnected$/, 'activity.disconnected', 'user'],
  [/^identity\.\w+\.added$/, 'activity.added', 'user'],
  [/^identity\.\w+\.updated$/, 'activity.changed', 'user'],
  [/^identity\.\w+\.removed$/, 'activity.removed', 'user'],
  [/^identity\.\w+\.verified$/, 'activity.verified', 'check'],
  [/^password\./, 'activity.password', 'lock'],
  [/^authenticator\.added$/, 'activity.factor.added', 'key'],
  [/^authenticator\.removed$/, 'activity.factor.removed', 'key'],
  [/^recovery_codes\./, 'activity.codes', 'list'],
  [/^device_tokens\./, 'activity.devices', 'shield'],
  [/^user\.impersonated$/, 'activity.operator', 'user'],
  [/^api_key\.created$/, 'activity.api_key.created', 'key'],
  [/^api_key\.revoked$/, 'activity.api_key.revoked', 'key'],
  [/^oidc\.app\.authorized$/, 'activity.app.authorized', 'globe'],
  [/^oidc\.app\.revoked$/, 'activity.app.revoked', 'globe'],
  [/^oidc\.token\.reused$/, 'activity.app.reused', 'alert'],
  [/^authentication\.blocked$/, 'activity.blocked', 'alert'],
  [/^authentication\./, 'activity.failed', 'alert'],
]

function inWords(event: Event, { t, language }: Words): Parameters<typeof Row>[0] | undefined {
  const found = texts.find(([type]) => type.test(event.type))
  if (found === undefined) return undefined
  const [, key, icon] = found
  const [browser, system] = event.device?.split(' on ') ?? []
  const device =
    browser !== undefined && system !== undefined ? t('browser.on', { browser, system }) : browser
  const place = [event.ip_address, countryInWords(event.geo_location_code, language)]
  const about = [
    momentInWords(event.at, language),
    event.triggered_by === 'admin_api' ? t('account.activity.app') : device,
    ...place,
  ]
  return {
    icon,
    title: t(key, { name: event.about ?? '' }).trim(),
    text: joined(about, language),
  }
}

/** What happened to the account, newest first. */
export function Activity({ view }: { readonly view: AccountView }): JSX.Element {
  const words = useWords()
  const { t } = words
  const { account, auth, fail } = view
  const [events, setEvents] = useState<readonly Event[]>([])
  const [next, setNext] = useState<string | undefined>(undefined)
  const read = (after?: string): void => {
    auth.account
      .activity({ limit: pageSize, ...(after === undefined ? {} : { after }) })
      .then((page) => {
        setEvents((known) => (after === undefined ? page.items : [...known, ...page.items]))
        setNext(page.next)
      }, fail)
  }
  // A change of the account is an event.
  useEffect(() => read(), [account])
  return (
    <Section
      id="activity"
      title={t('account.activity')}
      actions={
        next === undefined ? undefined : (
          <Button look="plain" onClick={() => read(next)}>
            {t('account.activity.more')}
          </Button>
        )
      }
    >
      {events.length === 0 && <p class="muted">{t('account.none')}</p>}
      {events.map((event) => {
        const row = inWords(event, words)
        return row && <Row key={event.id} {...row} />
      })}
    </Section>
  )
}
