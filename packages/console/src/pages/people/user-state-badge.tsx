import type { User } from '@gatehouse/client'
import type { ReactNode } from 'react'
import { stateOfUser } from '../../people/describe-user.ts'
import { usePeopleTexts } from '../../texts/people-texts.ts'
import { useNow } from '../../time/now.ts'
import classes from './people-page.module.css'

/** Whether a user may sign in. */
export function UserStateBadge({ user }: { user: User }): ReactNode {
  const people = usePeopleTexts()
  const state = stateOfUser(user, useNow())
  return (
    <span className={classes.state} data-state={state}>
      {people.states[state]}
    </span>
  )
}
