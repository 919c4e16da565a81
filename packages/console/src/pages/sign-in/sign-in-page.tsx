import { type Flow, isClientError } from '@gatehouse/client'
import { Button, PasswordInput, Select, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { startAgain, useMe } from '../../data/me.ts'
import { canSignIn, client, hasServerPasswords, services } from '../../data/services.ts'
import { useParameter } from '../../route/route.ts'
import { useTexts } from '../../texts/texts.ts'
import { BrowserSignIn } from '../../widgets/sign-in-card.tsx'
import { Empty, Failure, Loading } from '../../widgets/states.tsx'
import { type Choice, choicesOf, skipOffers } from './choices.ts'
import classes from './sign-in-page.module.css'

/** Signs in by the sign-in service of the server, or by a password that the browser asks for. */
export default function SignInPage(): ReactNode {
  const texts = useTexts()
  const me = useMe()
  const [back] = useParameter('back')
  const onDone = (): void => startAgain(back)
  const subject = me.data?.subject
  return (
    <div className={classes.sheet}>
      <h1 className={classes.heading}>{texts.access.signIn}</h1>
      {subject ? (
        <Empty title={texts.access.signedInAs(subject.id)} />
      ) : (
        <>
          {services.auth !== undefined && <SignInForm onDone={onDone} />}
          {hasServerPasswords && (
            <div className={services.auth === undefined ? '' : classes.other}>
              <div className={classes.form}>
                <BrowserSignIn
                  variant={services.auth === undefined ? 'filled' : 'default'}
                  onDone={onDone}
                >
                  {texts.access.byBrowser}
                </BrowserSignIn>
                <p className={classes.quiet}>{texts.access.byBrowserDetail}</p>
              </div>
            </div>
          )}
          {!canSignIn && <Empty title={texts.access.noWay} />}
        </>
      )}
    </div>
  )
}

function SignInForm({ onDone }: { onDone: () => void }): ReactNode {
  const texts = useTexts()
  const begun = useQuery({
    queryKey: ['sign-in'],
    queryFn: async ({ signal }) => skipOffers(await client.login({ signal })),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  const [later, setLater] = useState<Flow>()
  const flow = later ?? begun.data
  if (begun.error !== null) {
    return <Failure error={begun.error} onRetry={() => void begun.refetch()} />
  }
  if (flow === undefined) return <Loading />
  const choices = choicesOf(flow)
  if (choices.length === 0) return <Failure title={texts.signIn.elsewhere} />
  const next = (flow: Flow): void => {
    if (flow.prompt === 'finished') onDone()
    else setLater(flow)
  }
  return <PromptForm key={flow.token} choices={choices} onNext={next} />
}

/** One prompt: how to answer it if there is a choice, and the answer. */
function PromptForm({
  choices,
  onNext,
}: {
  choices: readonly Choice[]
  onNext: (flow: Flow) => void
}): ReactNode {
  const { signIn } = useTexts()
  const [chosen, setChosen] = useState(0)
  const [typed, setTyped] = useState('')
  const choice = choices[chosen]
  const submit = useMutation({
    mutationFn: async () => {
      if (choice === undefined) throw new Error('no choice')
      return skipOffers(await choice.submit(typed))
    },
    onSuccess: onNext,
  })
  if (choice === undefined) return null
  const { asked, target } = choice
  const common = {
    value: typed,
    required: true,
    withAsterisk: false,
    autoFocus: true,
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
      setTyped(currentTarget.value),
  }
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault()
        submit.mutate()
      }}
    >
      {choices.length > 1 && (
        <Select
          label={signIn.how}
          value={String(chosen)}
          onChange={(value) => {
            setChosen(Number(value ?? 0))
            setTyped('')
          }}
          allowDeselect={false}
          data={choices.map(({ name, target }, index) => ({
            value: String(index),
            label: signIn.choice(name, target),
          }))}
        />
      )}
      {asked === 'login_id' && (
        <TextInput {...common} label={signIn.asked.login_id} autoComplete="username" />
      )}
      {asked === 'password' && (
        <PasswordInput
          {...common}
          label={signIn.asked.password}
          autoComplete="current-password"
          visibilityToggleButtonProps={{ 'aria-label': signIn.showPassword }}
        />
      )}
      {(asked === 'code' || asked === 'recovery_code') && (
        <TextInput
          {...common}
          label={signIn.asked[asked]}
          description={target && signIn.sentTo(target)}
          autoComplete="one-time-code"
        />
      )}
      {asked === 'none' && target !== undefined && (
        <p className={classes.quiet}>{signIn.willSend(target)}</p>
      )}
      {submit.error !== null && (
        <Failure error={submit.error} {...titleOf(submit.error, signIn.refusals)} />
      )}
      <Button type="submit" loading={submit.isPending}>
        {signIn.next}
      </Button>
    </form>
  )
}

const titleOf = (
  error: unknown,
  refusals: Readonly<Record<string, string>>,
): { title?: string } => {
  const title = isClientError(error) ? refusals[error.reason] : undefined
  return title === undefined ? {} : { title }
}
