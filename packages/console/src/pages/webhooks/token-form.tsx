import { Button, PasswordInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { setWebhookToken, useWebhookToken } from '../../data/webhooks.ts'
import { useTexts } from '../../texts/texts.ts'
import classes from './webhooks-page.module.css'

/** Asks for a token, on a server that does not know who uses the page. */
export function TokenForm(): ReactNode {
  const { webhooks } = useTexts()
  const refused = useWebhookToken()
  const [token, setToken] = useState(refused)
  return (
    <form
      className={classes.tokenForm}
      onSubmit={(event) => {
        event.preventDefault()
        if (token.trim() !== '') setWebhookToken(token.trim())
      }}
    >
      <h2>{webhooks.tokenTitle}</h2>
      <p className={classes.quiet}>{webhooks.tokenDetail}</p>
      <PasswordInput
        label={webhooks.token}
        autoComplete="off"
        value={token}
        error={refused !== '' && token === refused ? webhooks.wrongToken : undefined}
        visibilityToggleButtonProps={{ 'aria-label': webhooks.showToken }}
        onChange={({ currentTarget }) => setToken(currentTarget.value)}
      />
      <div>
        <Button type="submit">{webhooks.open}</Button>
      </div>
    </form>
  )
}
