import type { UserIdentity } from '@gatehouse/client'
import type { ReactNode } from 'react'
import { usePeopleTexts } from '../../texts/people-texts.ts'
import { clip } from '../../widgets/clip.ts'
import { LocalTime } from '../../widgets/time.tsx'
import classes from './people-page.module.css'

/** What a user is identified by. */
export function Identities({ identities }: { identities: readonly UserIdentity[] }): ReactNode {
  const people = usePeopleTexts()
  return (
    <section className={classes.part}>
      <h2>{people.identities}</h2>
      {identities.length === 0 && <p className={classes.note}>{people.noIdentities}</p>}
      <ul className={classes.items}>
        {identities.map((identity) => (
          <li key={identity.id} className={classes.item}>
            <div className={classes.itemBody}>
              <strong>
                <bdi>{clip(nameOf(identity))}</bdi>
              </strong>
              <p className={classes.note}>
                {people.identityKinds[kindOf(identity)] ?? kindOf(identity)}
                {' · '}
                {identity.isVerified ? people.verified : people.notVerified}
                {' · '}
                <LocalTime at={identity.createdAt} />
              </p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}

function nameOf(identity: UserIdentity): string {
  switch (identity.type) {
    case 'login_id':
      return identity.original
    case 'oauth':
      return identity.email ?? identity.subject
    default:
      return identity.email ?? identity.preferred_username ?? identity.id
  }
}

function kindOf(identity: UserIdentity): string {
  switch (identity.type) {
    case 'login_id':
      return identity.loginIdType
    case 'oauth':
      return identity.providerAlias
    case 'custom':
      return identity.identification
    default:
      return identity.type
  }
}
