import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { startAgain, useMe } from '../../data/me.ts'
import { canSignIn, hasServerPasswords, signInPage } from '../../data/services.ts'
import { signInPageAddress } from '../../data/sign-in-address.ts'
import { useParameter } from '../../route/route.ts'
import { useTexts } from '../../texts/texts.ts'
import { BrowserSignIn } from '../../widgets/sign-in-card.tsx'
import { Empty } from '../../widgets/states.tsx'
import classes from './sign-in-page.module.css'

/** The ways to sign in: the sign-in page of the server, and a password that the browser asks for. */
export default function SignInPage(): ReactNode {
  const texts = useTexts()
  const me = useMe()
  const [back] = useParameter('back')
  const subject = me.data?.subject
  return (
    <div className={classes.sheet}>
      <h1 className={classes.heading}>{texts.access.signIn}</h1>
      {subject ? (
        <Empty title={texts.access.signedInAs(subject.id)} />
      ) : (
        <div className={classes.form}>
          {signInPage !== undefined && (
            <Button component="a" href={signInPageAddress(back)}>
              {texts.access.bySignIn}
            </Button>
          )}
          {hasServerPasswords && (
            <>
              <BrowserSignIn
                variant={signInPage === undefined ? 'filled' : 'default'}
                onDone={() => startAgain(back)}
              >
                {texts.access.byBrowser}
              </BrowserSignIn>
              <p className={classes.quiet}>{texts.access.byBrowserDetail}</p>
            </>
          )}
          {!canSignIn && <Empty title={texts.access.noWay} />}
        </div>
      )}
    </div>
  )
}
