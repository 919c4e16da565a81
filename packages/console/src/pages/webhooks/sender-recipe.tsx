import type { ListedWebhook } from '@gatehouse/client'
import type { ReactNode } from 'react'
import { webhooksUrl } from '../../data/webhooks.ts'
import { useTexts } from '../../texts/texts.ts'
import { CopyButton } from '../../widgets/copy-button.tsx'
import classes from './webhooks-page.module.css'

/** What to enter at the sender of a webhook: where it sends, and where its secret stands. The secret itself is not here. */
export function SenderRecipe({ webhook }: { webhook: ListedWebhook }): ReactNode {
  const { webhooks: texts } = useTexts()
  const { path, methods, content_types } = webhook.sender
  const url = webhooksUrl + path
  const rows = [
    [texts.senderUrl, url],
    [texts.senderMethods, methods.join(', ')],
    [texts.senderTypes, content_types.join(', ')],
    [texts.senderProof, proofsOf(webhook, texts.proofs).join('; ')],
  ] as const
  return (
    <section aria-label={texts.sender}>
      <div className={classes.listHead}>
        <h2>{texts.sender}</h2>
        <CopyButton text={url} variant="default" size="xs">
          {texts.copyUrl}
        </CopyButton>
      </div>
      <dl className={classes.facts}>
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <bdi>{value}</bdi>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

type ProofTexts = ReturnType<typeof useTexts>['webhooks']['proofs']

function proofsOf({ sender }: ListedWebhook, texts: ProofTexts): readonly string[] {
  const { signature, token } = sender
  const proofs = [
    ...(signature === null
      ? []
      : [texts.signature(signature.algorithm, signature.headers.join(', '))]),
    ...(token === null ? [] : [texts[token.in](token.name ?? '')]),
  ]
  return proofs.length === 0 ? [texts.none()] : proofs
}
