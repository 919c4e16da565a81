import type { User } from '@gatehouse/client'
import type { ReactNode } from 'react'
import { stateOfUser } from '../../people/describe-user.ts'
import { useTexts } from '../../texts/texts.ts'
import { useNow } from '../../time/now.ts'
import classes from './people-page.module.css'

/** Whether a user may sign in. */
export function UserStateBadge({ user }: { user: User }): ReactNode {
  const { people } = useTexts()
  const state = stateOfUser(user, useNow())
  return (
    <span className={classes.state} data-state={state}>
      {people.states[state]}
    </span>
  )
}
