import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { useWords } from '../texts/texts.ts'
import { Button } from './form.tsx'

/** Copies a text, and says so. */
export function CopyButton({ text }: { readonly text: string }): JSX.Element {
  const { t } = useWords()
  const [isCopied, setCopied] = useState(false)
  return (
    <Button
      look="plain"
      icon={isCopied ? 'check' : 'copy'}
      onClick={() => {
        navigator.clipboard.writeText(text).then(
          () => setCopied(true),
          () => {},
        )
      }}
    >
      <span aria-live="polite">{t(isCopied ? 'copied' : 'copy')}</span>
    </Button>
  )
}
