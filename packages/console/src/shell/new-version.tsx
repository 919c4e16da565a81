import type { ReactNode } from 'react'
import { useNewVersion } from '../data/new-version.ts'
import { useTexts } from '../texts/texts.ts'
import classes from './shell.module.css'

/** Offers to load the page again after an upgrade of the server. Until then the page goes on as it is, with what was entered in it. */
export function NewVersion(): ReactNode {
  const { shell } = useTexts()
  const isNew = useNewVersion()
  return (
    <span role="status">
      {isNew && (
        <button type="button" className={classes.reload} onClick={() => location.reload()}>
          {shell.newVersion}
        </button>
      )}
    </span>
  )
}
