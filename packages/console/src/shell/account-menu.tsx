import { Button, Menu } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { startAgain, useMe, wouldHelp } from '../data/me.ts'
import { client } from '../data/services.ts'
import { signInAddress } from '../data/sign-in-address.ts'
import { usePlace } from '../route/route.ts'
import { useTexts } from '../texts/texts.ts'
import { Icon } from '../widgets/icon.tsx'
import classes from './shell.module.css'

/** The signed-in subject, or a link to sign in. Empty on a server that does not identify senders. */
export function AccountMenu(): ReactNode {
  const { access } = useTexts()
  const { data } = useMe()
  const { segments } = usePlace()
  const signOut = useMutation({
    mutationFn: () => client.signOut(),
    onSuccess() {
      // What the tab kept, such as a draft, is not for the next user.
      sessionStorage.clear()
      startAgain()
    },
  })
  if (data === undefined) return null
  if (data.subject === null) {
    return wouldHelp(data) && segments[0] !== 'sign-in' ? (
      <a className={classes.signIn} href={signInAddress()}>
        {access.signIn}
      </a>
    ) : null
  }
  const { id, kind } = data.subject
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          className={classes.account ?? ''}
          variant="transparent"
          size="compact-sm"
          aria-label={access.signedInAs(id)}
          leftSection={<Icon name="person" />}
        >
          <bdi className={classes.accountName}>{id}</bdi>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{access.signedInAs(id)}</Menu.Label>
        {kind === 'session' ? (
          <Menu.Item closeMenuOnClick={false} onClick={() => signOut.mutate()}>
            {signOut.error === null ? access.signOut : access.signOutFailed}
          </Menu.Item>
        ) : (
          <Menu.Label>{access.endsWithBrowser}</Menu.Label>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
