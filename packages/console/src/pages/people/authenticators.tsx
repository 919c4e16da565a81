import type { UserAccount } from '@gatehouse/client'
import type { ReactNode } from 'react'
import { usePeopleTexts } from '../../texts/people-texts.ts'
import { clip } from '../../widgets/clip.ts'
import { LocalTime } from '../../widgets/time.tsx'
import classes from './people-page.module.css'

/** What a user proves an identity with. */
export function Authenticators({ account }: { account: UserAccount }): ReactNode {
  const people = usePeopleTexts()
  const { authenticators, recoveryCodes: codes, deviceTokens: devices } = account
  return (
    <section className={classes.part}>
      <h2>{people.authenticators}</h2>
      {authenticators.length === 0 && <p className={classes.note}>{people.noAuthenticators}</p>}
      <ul className={classes.items}>
        {authenticators.map(({ id, type, kind, authentication, createdAt, ...one }) => (
          <li key={id} className={classes.item}>
            <div className={classes.itemBody}>
              <strong>
                {type === 'custom' ? authentication : people.authenticatorTypes[type]}
              </strong>
              {(one.displayName ?? one.target) !== undefined && (
                <>
                  {' '}
                  <bdi>{clip(one.displayName ?? one.target ?? '')}</bdi>
                </>
              )}
              <p className={classes.note}>
                {people.factors[kind]}
                {' · '}
                <LocalTime at={createdAt} />
              </p>
            </div>
          </li>
        ))}
      </ul>
      <p className={classes.note}>
        {people.recoveryCodes(codes)} · {people.devices(devices)}
      </p>
    </section>
  )
}
