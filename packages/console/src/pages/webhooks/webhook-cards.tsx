import type { ListedWebhook } from '@gatehouse/client'
import type { ReactNode } from 'react'
import { useMe } from '../../data/me.ts'
import { hashOf, useParameter } from '../../route/route.ts'
import { runFields } from '../../runs/run-fields.ts'
import { useTexts } from '../../texts/texts.ts'
import { shortDuration } from '../../time/durations.ts'
import { Icon } from '../../widgets/icon.tsx'
import { MayButton } from '../../widgets/may-button.tsx'
import classes from './webhooks-page.module.css'

/** The configured webhooks, each with its way to run it and to its runs. */
export function WebhookCards({ webhooks }: { webhooks: readonly ListedWebhook[] }): ReactNode {
  const { webhooks: texts } = useTexts()
  const [chosen] = useParameter('webhook')
  return (
    <section aria-label={texts.configured}>
      <ul className={classes.cards}>
        {webhooks.map((webhook) => (
          <li
            key={webhook.id}
            className={classes.card}
            data-current={webhook.id === chosen || undefined}
          >
            <div className={classes.cardBody}>
              <a
                className={classes.cardName}
                href={hashOf(['webhooks'], { webhook: webhook.id })}
                aria-label={texts.runsOf(webhook.id)}
                aria-current={webhook.id === chosen || undefined}
              >
                <bdi>{webhook.id}</bdi>
              </a>
              <div className={classes.quiet}>
                {texts.inputs(runFields(webhook).length)} · {texts.atOnce(webhook.concurrency)}
                {webhook.timeout_ms !== null &&
                  ` · ${texts.limit(shortDuration(webhook.timeout_ms))}`}
              </div>
            </div>
            <RunButton webhook={webhook} />
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Opens the form to run a webhook; `again` is the run whose values it has at first. */
export function RunButton({
  webhook,
  again,
}: {
  webhook: ListedWebhook
  again?: string
}): ReactNode {
  const { webhooks: texts } = useTexts()
  const rights = useRunRights(webhook)
  return (
    <MayButton
      action="webhooks:run"
      granted={rights}
      size="xs"
      variant="default"
      href={hashOf(['webhooks', 'new', webhook.id], { again })}
      leftSection={<Icon name={again === undefined ? 'play' : 'again'} size={14} />}
      aria-label={again === undefined ? texts.runOne(webhook.id) : texts.again}
    >
      {again === undefined ? texts.run : texts.again}
    </MayButton>
  )
}

/** What this browser may do with a webhook. An unknown sender may have its token, for which the form asks. */
function useRunRights({ actions }: ListedWebhook): ListedWebhook['actions'] {
  const { data: me } = useMe()
  return me?.subject == null ? [...actions, 'webhooks:run'] : actions
}
