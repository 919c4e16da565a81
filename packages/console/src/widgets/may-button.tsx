import type { AccessAction } from '@gatehouse/client'
import { Button, type ButtonProps, Tooltip } from '@mantine/core'
import type { ReactNode } from 'react'
import { useMay } from '../data/me.ts'

/** A button or link that needs a right. Without the right it is disabled, but keeps the focus, and its tooltip says why. */
export function MayButton({
  action,
  granted,
  href,
  onClick,
  ...props
}: ButtonProps & {
  action: AccessAction
  /** What the subject may do with the thing, if the server said so (default: its rights in general). */
  granted?: readonly AccessAction[]
  href?: string
  type?: 'submit'
  onClick?: () => void
  'aria-label'?: string
  children: ReactNode
}): ReactNode {
  const { allowed, reason } = useMay(action, granted)
  if (!allowed) {
    return (
      <Tooltip label={reason}>
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
