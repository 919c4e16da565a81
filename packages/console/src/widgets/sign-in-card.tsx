import { Button, type ButtonProps } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { startAgain } from '../data/me.ts'
import { client, hasServerPasswords, signInPage } from '../data/services.ts'
import { signInAddress } from '../data/sign-in-address.ts'
import { useTexts } from '../texts/texts.ts'
import { PageHead } from './page-head.tsx'
import { Empty, Failure } from './states.tsx'

/** Replaces a page that needs a sign-in: a way to sign in and come back. */
export function SignInCard({ title }: { title: string }): ReactNode {
  const { access } = useTexts()
  return (
    <>
      <PageHead title={title} />
      <Empty title={access.pageNeedsSignIn}>
        {signInPage !== undefined ? (
          <Button component="a" href={signInAddress()}>
            {access.signIn}
          </Button>
        ) : hasServerPasswords ? (
          <BrowserSignIn onDone={() => startAgain(location.hash)}>{access.signIn}</BrowserSignIn>
        ) : (
          <span>{access.noWay}</span>
        )}
      </Empty>
    </>
  )
}

/** Makes the browser ask for the name and the password of the server. */
export function BrowserSignIn({
  onDone,
  children,
  ...props
}: ButtonProps & { onDone: () => void; children: ReactNode }): ReactNode {
  const signIn = useMutation({ mutationFn: () => client.me({ signIn: true }), onSuccess: onDone })
  return (
    <>
      {signIn.error !== null && <Failure error={signIn.error} />}
      <Button {...props} loading={signIn.isPending} onClick={() => signIn.mutate()}>
        {children}
      </Button>
    </>
  )
}
