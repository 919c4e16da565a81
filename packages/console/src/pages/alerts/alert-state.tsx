import type { Acknowledgement, Alert, LabelSet } from '@gatehouse/client'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { matchersOf } from '../../alerts/copied-texts.ts'
import { isHere, type ShownAlert } from '../../alerts/merge-servers.ts'
import { useActiveSilences } from '../../data/active-silences.ts'
import { useFiringRenewal } from '../../data/firing-renewal.ts'
import { type May, useMay } from '../../data/me.ts'
import { client } from '../../data/services.ts'
import { hashOf } from '../../route/route.ts'
import { ExtendMenu } from '../../silence-form/extend-menu.tsx'
import { useExpiry } from '../../silence-form/use-expiry.ts'
import { useTexts } from '../../texts/texts.ts'
import { clip } from '../../widgets/clip.ts'
import { useKnownLabels } from '../../widgets/matcher-input/use-known-labels.ts'
import { AllowedButton } from '../../widgets/may-button.tsx'
import { Since, Until } from '../../widgets/time.tsx'
import classes from './alert-state.module.css'
import { useStateWords } from './badges.tsx'

/** An alert may have many silences; the page of silences lists them all. */
const most = 3

/** What keeps an alert quiet, by whom, why and for how long, and what can be done about it. */
export function AlertState({ alert }: { alert: ShownAlert }): ReactNode {
  const words = useStateWords(alert)
  if (isHere(alert)) return <StateHere alert={alert} />
  return words.length === 0 ? null : (
    <ul className={classes.states}>
      {words.map((word) => (
        <li key={word} className={classes.state}>
          <bdi className={classes.words}>{word}</bdi>
        </li>
      ))}
    </ul>
  )
}

/** That of an alert that this server has, and so the silences that keep it quiet. */
function StateHere({
  alert: { fingerprint, labels, status, acknowledgement },
}: {
  alert: Alert
}): ReactNode {
  const { silencedBy, inhibitedBy, mutedBy } = status
  const count = silencedBy.length + inhibitedBy.length + mutedBy.length
  if (count === 0 && acknowledgement === undefined) return null
  return (
    <ul className={classes.states}>
      {silencedBy.slice(0, most).map((id) => (
        <Silenced key={id} id={id} />
      ))}
      {inhibitedBy.map((source) => (
        <Inhibited key={source} source={source} fingerprint={fingerprint} />
      ))}
      {mutedBy.length > 0 && <Muted names={mutedBy} fingerprint={fingerprint} />}
      {acknowledgement !== undefined && (
        <Acknowledged
          by={acknowledgement}
          fingerprint={fingerprint}
          name={clip(labels.alertname ?? fingerprint, 100)}
        />
      )}
    </ul>
  )
}

/** By whom, why and until when an alert is silenced. */
function Silenced({ id }: { id: string }): ReactNode {
  const { alerts, silences: texts } = useTexts()
  const silence = useActiveSilences(true).get(id)
  const may = useMay('silences:write')
  const { expire, isPending, problem } = useExpiry()
  const renew = useFiringRenewal()
  return (
    <li className={classes.state}>
      <a className={classes.badge} href={hashOf(['silences', id])}>
        {alerts.states.silenced}
      </a>
      {silence !== undefined && (
        <>
          <span className={classes.words}>
            {texts.by} <bdi>{clip(silence.createdBy, 100)}</bdi>: <bdi>{clip(silence.comment)}</bdi>{' '}
            · <Until at={silence.endsAt} /> {texts.left}
            {silence.untilResolved === true && ` · ${texts.untilResolved}`}
          </span>
          <span className={classes.actions}>
            <ExtendMenu id={id} may={may} {...small} />
            <AllowedButton
              {...small}
              may={may}
              loading={isPending}
              onClick={() => expire([silence], () => void renew())}
            >
              {problem === null ? texts.expire : texts.expireFailed}
            </AllowedButton>
          </span>
        </>
      )}
    </li>
  )
}

/** Which alert inhibits another one. */
function Inhibited({ source, fingerprint }: { source: string; fingerprint: string }): ReactNode {
  const { alerts } = useTexts()
  const labels = labelsByFingerprint(useKnownLabels(true).alerts).get(source)
  return (
    <li className={classes.state}>
      <a className={classes.badge} href={hashOf(['routing'], { alert: fingerprint })}>
        {alerts.states.inhibited}
      </a>
      {labels !== undefined && (
        <span className={classes.words}>
          {alerts.inhibitedBy}{' '}
          <a href={hashOf(['alerts'], { filter: matchersOf(labels).join(', ') })}>
            <bdi>{shortName(labels)}</bdi>
          </a>
        </span>
      )}
    </li>
  )
}

/** Which time intervals mute the group of an alert. */
function Muted({
  names,
  fingerprint,
}: {
  names: readonly string[]
  fingerprint: string
}): ReactNode {
  const { alerts } = useTexts()
  return (
    <li className={classes.state}>
      <a className={classes.badge} href={hashOf(['routing'], { alert: fingerprint })}>
        {alerts.states.muted}
      </a>
      <span className={classes.words}>
        <bdi>{clip(names.join(', '), 100)}</bdi>
      </span>
    </li>
  )
}

/** Who takes care of an alert, and since when. */
function Acknowledged({
  by: { by, comment, since, until },
  fingerprint,
  name,
}: {
  by: Acknowledgement
  fingerprint: string
  name: string
}): ReactNode {
  const { acknowledge, silences } = useTexts()
  return (
    <li className={classes.state}>
      <span className={classes.words}>
        <bdi>{acknowledge.acknowledgedBy(clip(by, 100))}</bdi>
        {comment !== '' && (
          <>
            : <bdi>{clip(comment)}</bdi>
          </>
        )}{' '}
        · {acknowledge.since} <Since at={since} />
        {until !== undefined && (
          <>
            {' · '}
            <Until at={until} /> {silences.left}
          </>
        )}
      </span>
      <span className={classes.actions}>
        <TakeBack
          fingerprints={[fingerprint]}
          label={`${acknowledge.takeBack}: ${name}`}
          may={useMay('alerts:acknowledge')}
        />
      </span>
    </li>
  )
}

/** Whether there is no alert left to acknowledge. */
export const isAllAcknowledged = (alerts: readonly Alert[]): boolean =>
  alerts.length > 0 && alerts.every(({ acknowledgement }) => acknowledgement !== undefined)

/** Requests under way at once. */
const lanes = 6

/** Takes acknowledgements back. */
export function useTakeBack(): {
  readonly takeBack: (fingerprints: readonly string[]) => void
  readonly isPending: boolean
  readonly hasFailed: boolean
} {
  const { mutate, isPending, isError } = useMutation({
    mutationFn: async (fingerprints: readonly string[]) => {
      const rest = [...fingerprints]
      const lane = async (): Promise<void> => {
        for (let fingerprint = rest.pop(); fingerprint !== undefined; fingerprint = rest.pop()) {
          await client.alerts.unacknowledge({ fingerprint })
        }
      }
      await Promise.all(Array.from({ length: lanes }, lane))
    },
    onSettled: useFiringRenewal(),
  })
  return { takeBack: mutate, isPending, hasFailed: isError }
}

/** A button that takes the acknowledgement of alerts back. */
export function TakeBack({
  fingerprints,
  label,
  may,
}: {
  fingerprints: readonly string[]
  label: string
  may: May
}): ReactNode {
  const { acknowledge } = useTexts()
  const { takeBack, isPending, hasFailed } = useTakeBack()
  return (
    <AllowedButton
      {...small}
      may={may}
      aria-label={label}
      loading={isPending}
      onClick={() => takeBack(fingerprints)}
    >
      {hasFailed ? acknowledge.takeBackFailed : acknowledge.takeBack}
    </AllowedButton>
  )
}

const small = { size: 'compact-xs', variant: 'subtle' } as const

type Labeled = Pick<Alert, 'fingerprint' | 'labels'>

const maps = new WeakMap<readonly Labeled[], ReadonlyMap<string, LabelSet>>()

/** The labels of alerts by fingerprint; the map is made once for all rows that need it. */
function labelsByFingerprint(alerts: readonly Labeled[]): ReadonlyMap<string, LabelSet> {
  const known = maps.get(alerts)
  if (known !== undefined) return known
  const map = new Map(alerts.map(({ fingerprint, labels }) => [fingerprint, labels]))
  maps.set(alerts, map)
  return map
}

/** The name of an alert with some of its labels. */
function shortName({ alertname, ...others }: LabelSet): string {
  const some = Object.entries(others)
    .slice(0, 3)
    .map(([name, value]) => `${name}=${value}`)
  return clip([alertname ?? '', ...some].join(' ').trim(), 100)
}
