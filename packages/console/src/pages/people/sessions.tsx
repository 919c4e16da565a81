import type { UserAccount, UserSession } from '@gatehouse/client'
import { Button, Group } from '@mantine/core'
import type { ReactNode } from 'react'
import { deviceOf } from '../../people/describe-user.ts'
import { usePeopleTexts } from '../../texts/people-texts.ts'
import { useLanguage } from '../../texts/texts.ts'
import { clip } from '../../widgets/clip.ts'
import { LocalTime, Since } from '../../widgets/time.tsx'
import classes from './people-page.module.css'

/** Where a user is signed in. */
export function Sessions({
  account: { sessions },
  onEnd,
  onEndAll,
}: {
  account: UserAccount
  onEnd: (session: UserSession) => void
  onEndAll: () => void
}): ReactNode {
  const people = usePeopleTexts()
  return (
    <section className={classes.part}>
      <Group justify="space-between" align="start">
        <h2>{people.sessions}</h2>
        {sessions.length > 1 && (
          <Button size="xs" variant="default" onClick={onEndAll}>
            {people.endAll}
          </Button>
        )}
      </Group>
      {sessions.length === 0 && <p className={classes.note}>{people.noSessions}</p>}
      <ul className={classes.items}>
        {sessions.map((session) => (
          <SessionItem key={session.id} session={session} onEnd={() => onEnd(session)} />
        ))}
      </ul>
    </section>
  )
}

function SessionItem({ session, onEnd }: { session: UserSession; onEnd: () => void }): ReactNode {
  const people = usePeopleTexts()
  const place = usePlaceName(session.geoLocationCode)
  const { lastAccessedIp: ip, lastAccessedUserAgent: agent } = session
  const device = deviceOf(agent) ?? people.unknownDevice
  const { impersonatedBy: operator } = session
  return (
    <li className={classes.item}>
      <div className={classes.itemBody}>
        <strong title={agent ?? undefined}>
          <bdi>{clip(device)}</bdi>
        </strong>
        {operator !== undefined && <p className={classes.note}>{people.actedBy(clip(operator))}</p>}
        <p className={classes.note}>
          {[place, ip].filter((part) => part !== undefined && part !== null).join(', ')}
        </p>
        <p className={classes.note}>
          {people.lastSeen} <LocalTime at={session.lastAccessedAt} /> (
          <Since at={session.lastAccessedAt} />) · {people.signedIn}{' '}
          <LocalTime at={session.authenticatedAt} />
        </p>
      </div>
      <Button size="xs" variant="default" aria-label={people.endSession(device)} onClick={onEnd}>
        {people.end}
      </Button>
    </li>
  )
}

/** The name of a country; another code as it is. */
function usePlaceName(code: string | undefined): string | undefined {
  const language = useLanguage()
  if (code === undefined || !/^[A-Z]{2}$/.test(code)) return code
  return new Intl.DisplayNames(language, { type: 'region' }).of(code)
}
