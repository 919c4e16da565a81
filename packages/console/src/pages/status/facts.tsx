import type { AlertsStatus, ServerStatus } from '@gatehouse/client'
import type { ReactNode } from 'react'
import { formatBytes } from '../../status/bytes.ts'
import { versionsOf } from '../../status/versions.ts'
import { useLanguage, useTexts } from '../../texts/texts.ts'
import { LocalTime, Since } from '../../widgets/time.tsx'
import classes from './status-page.module.css'

/** Versions, uptime, cluster, storage and history as short facts. */
export function Facts({
  status: data,
  server,
}: {
  status: AlertsStatus
  server: ServerStatus | undefined
}): ReactNode {
  const { status } = useTexts()
  const language = useLanguage()
  const { gatehouse, api, runtime } = versionsOf(data.versionInfo)
  const bytes = (count: number): string => formatBytes(count, language)
  const { storage, history } = server ?? {}
  return (
    <dl className={classes.facts}>
      <Fact name={status.version} note={[status.api(api), runtime]}>
        {gatehouse ?? api}
      </Fact>
      <Fact name={status.uptime} note={[<LocalTime key="since" at={data.uptime} />]}>
        <Since at={data.uptime} />
      </Fact>
      <Fact name={status.cluster} note={[data.cluster.name]}>
        {status.clusterStates[data.cluster.status]}
        {data.cluster.peers !== undefined &&
          data.cluster.peers.length > 0 &&
          `, ${status.peers(data.cluster.peers.length)}`}
      </Fact>
      {storage !== undefined && (
        <Fact
          name={status.storage}
          note={[
            storage.freeBytes === undefined ? undefined : status.free(bytes(storage.freeBytes)),
            storage.records === undefined ? undefined : status.records(storage.records),
            storage.refreshMs === undefined
              ? status.noAnswer
              : status.refresh(Math.round(storage.refreshMs)),
          ]}
        >
          {status.storageKinds[storage.kind ?? ''] ?? storage.kind ?? status.ownStorage}
          {storage.bytes !== undefined && `, ${bytes(storage.bytes)}`}
        </Fact>
      )}
      {history !== undefined && (
        <Fact
          name={status.history}
          note={[
            history.maxBytes > 0 && status.ofAtMost(bytes(history.maxBytes)),
            history.waiting > 0 && status.waiting(history.waiting),
          ]}
        >
          {history.retentionMs === 0
            ? status.noHistory
            : `${status.days(Math.round(history.retentionMs / 86_400_000))}, ${bytes(history.packedBytes)}`}
        </Fact>
      )}
    </dl>
  )
}

function Fact({
  name,
  note,
  children,
}: {
  name: string
  note: readonly ReactNode[]
  children: ReactNode
}): ReactNode {
  const notes = note.filter((one) => one !== undefined && one !== false)
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
      {notes.map((one, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the notes of a fact have fixed places
        <dd key={index} className={classes.note}>
          {one}
        </dd>
      ))}
    </div>
  )
}
