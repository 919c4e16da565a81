import { Button, type ButtonProps } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTexts } from '../texts/texts.ts'

/** Copies a text, and says so. Browsers give the clipboard only to pages of HTTPS and of this machine; others show the text. */
export function CopyButton({
  text,
  children,
  ...props
}: ButtonProps & { text: string; children: ReactNode }): ReactNode {
  const { states } = useTexts()
  const [wasCopied, setCopied] = useState(false)
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text)
      setCopied(true)
    } catch {
      prompt(states.copyThis, text)
    }
  }
  return (
    <Button {...props} onClick={() => void copy()} onBlur={() => setCopied(false)}>
      <span aria-live="polite">{wasCopied ? states.copied : children}</span>
    </Button>
  )
}
