import type { AccessAction } from '@gatehouse/client'
import { Alert, Button, type ButtonProps, Tooltip } from '@mantine/core'
import type { ReactNode } from 'react'
import { type May, useMay } from '../data/me.ts'
import { signInAddress } from '../data/sign-in-address.ts'
import { useTexts } from '../texts/texts.ts'
import { Icon } from './icon.tsx'

type Props = ButtonProps & {
  href?: string
  type?: 'submit'
  onClick?: () => void
  'aria-label'?: string
  children: ReactNode
}

/** A button or link that needs a right. Without the right it is disabled, but keeps the focus, and its tooltip says why. */
export function MayButton({
  action,
  granted,
  ...props
}: Props & {
  action: AccessAction
  /** What the subject may do with the thing, if the server said so (default: its rights in general). */
  granted?: readonly AccessAction[]
}): ReactNode {
  return <AllowedButton may={useMay(action, granted)} {...props} />
}

/** Says at once, above a form, why its button cannot be pressed. Empty for those who may. */
export function MayNote({ action }: { action: AccessAction }): ReactNode {
  const { allowed, reason, wouldSignIn } = useMay(action)
  const { access } = useTexts()
  if (allowed) return null
  return (
    <Alert color="gray" icon={<Icon name="warning" />} role="note" title={reason}>
      {wouldSignIn && <a href={signInAddress()}>{access.signIn}</a>}
    </Alert>
  )
}

/** {@link MayButton} in a list, which asks once for the rights. */
export function AllowedButton({ may, href, onClick, ...props }: Props & { may: May }): ReactNode {
  if (!may.allowed) {
    return (
      <Tooltip label={may.reason}>
        <Button
          {...props}
          data-disabled
          aria-disabled="true"
          onClick={(event) => event.preventDefault()}
        />
      </Tooltip>
    )
  }
  if (href !== undefined) return <Button {...props} component="a" href={href} />
  return <Button {...props} {...(onClick && { onClick })} />
}
