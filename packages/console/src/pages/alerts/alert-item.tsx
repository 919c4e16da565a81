import type { Alert } from '@gatehouse/client'
import { ActionIcon, Anchor, Checkbox } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { client } from '../../data/services.ts'
import { hashOf } from '../../route/route.ts'
import { useTexts } from '../../texts/texts.ts'
import { Annotation, webUrl } from '../../widgets/annotation.tsx'
import { Icon } from '../../widgets/icon.tsx'
import { Labels } from '../../widgets/labels.tsx'
import { Since } from '../../widgets/time.tsx'
import classes from './alert-cards.module.css'
import { Acknowledged, SeverityBadge, StateBadge } from './badges.tsx'
import type { ListActions } from './list-actions.ts'

/** One alert of a card. */
export function AlertItem({
  alert,
  shared,
  onPick,
  onSilence,
  onAcknowledge,
  selection,
}: { alert: Alert; shared: Alert['labels'] } & ListActions): ReactNode {
  const texts = useTexts()
  const { labels, annotations, fingerprint, startsAt, status, generatorURL, acknowledgement } =
    alert
  const name = labels.alertname ?? fingerprint
  const source = webUrl(generatorURL)
  const texts_ = Object.entries(annotations).filter(([key]) => key !== 'summary')
  return (
    <li className={classes.alert} tabIndex={-1} data-fingerprint={fingerprint}>
      <Checkbox
        size="xs"
        aria-label={texts.alerts.select(name)}
        checked={selection.ids.has(fingerprint)}
        onChange={() => selection.toggle(fingerprint)}
      />
      <div className={classes.body}>
        <div className={classes.line}>
          <SeverityBadge labels={labels} />
          <StateBadge status={status} />
          {acknowledgement !== undefined && <Acknowledged by={acknowledgement} />}
          <span className={classes.quiet}>
            {texts.alerts.firingFor} <Since at={startsAt} />
          </span>
        </div>
        {annotations.summary !== undefined && (
          <p className={classes.summary}>
            <Annotation text={annotations.summary} />
          </p>
        )}
        <Labels labels={labels} without={Object.keys(shared)} onPick={onPick} />
        {texts_.length > 0 && (
          <dl className={classes.annotations}>
            {texts_.map(([key, text]) => (
              <div key={key}>
                <dt>{key}</dt>
                <dd>
                  <Annotation text={text} />
                </dd>
              </div>
            ))}
          </dl>
        )}
        {acknowledgement !== undefined && acknowledgement.comment !== '' && (
          <p className={classes.comment}>
            <bdi>{acknowledgement.comment}</bdi>
          </p>
        )}
        <div className={classes.line}>
          {source !== undefined && (
            <Anchor size="sm" href={source} target="_blank" rel="noopener noreferrer">
              {texts.alerts.source}
            </Anchor>
          )}
          <Anchor size="sm" href={hashOf(['routing'], { alert: fingerprint })}>
            {texts.alerts.why}
          </Anchor>
          {status.silencedBy.map((id) => (
            <Anchor key={id} size="sm" href={hashOf(['silences', id])}>
              {texts.alerts.states.silenced}
            </Anchor>
          ))}
        </div>
      </div>
      {acknowledgement === undefined ? (
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={`${texts.acknowledge.do}: ${name}`}
          onClick={() => onAcknowledge([fingerprint])}
        >
          <Icon name="check" size={16} />
        </ActionIcon>
      ) : (
        <Unacknowledge fingerprint={fingerprint} name={name} />
      )}
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={`${texts.alerts.silence} ${name}`}
        onClick={() => onSilence([fingerprint])}
      >
        <Icon name="bellOff" size={16} />
      </ActionIcon>
    </li>
  )
}

function Unacknowledge({ fingerprint, name }: { fingerprint: string; name: string }): ReactNode {
  const { acknowledge } = useTexts()
  const queries = useQueryClient()
  const takeBack = useMutation({
    mutationFn: () => client.alerts.unacknowledge({ fingerprint }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['alert-groups'] }),
  })
  return (
    <ActionIcon
      variant="light"
      aria-label={`${acknowledge.takeBack}: ${name}`}
      loading={takeBack.isPending}
      onClick={() => takeBack.mutate()}
    >
      <Icon name="check" size={16} />
    </ActionIcon>
  )
}
