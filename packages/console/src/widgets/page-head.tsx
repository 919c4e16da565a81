import { Group } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './page-head.module.css'

/** The name of a page, and what can be done on all of it. */
export function PageHead({
  title,
  children,
}: {
  title: ReactNode
  children?: ReactNode
}): ReactNode {
  return (
    <div className={classes.head}>
      <h1>{title}</h1>
      {children !== undefined && <Group gap="xs">{children}</Group>}
    </div>
  )
}
