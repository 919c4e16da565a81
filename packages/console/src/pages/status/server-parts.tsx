import type { ServerProblem, ServerProcess } from '@gatehouse/client'
import { Table } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTexts } from '../../texts/texts.ts'
import { clip } from '../../widgets/clip.ts'
import { DataTable } from '../../widgets/data-table.tsx'
import { Icon } from '../../widgets/icon.tsx'
import { Since } from '../../widgets/time.tsx'
import { visible } from '../../widgets/visible.ts'
import classes from './status-page.module.css'

/** Problems of the server, and likely mistakes in its configuration. */
export function Problems({ problems }: { problems: readonly ServerProblem[] }): ReactNode {
  const { status } = useTexts()
  return (
    <section aria-labelledby="problems-title">
      <h2 id="problems-title" className={classes.part}>
        {status.problems}
      </h2>
      {problems.length === 0 ? (
        <p className={classes.good}>
          <Icon name="check" size={16} />
          {status.noProblems}
        </p>
      ) : (
        <ul className={classes.problems}>
          {problems.map(({ isFailure, message }) => (
            <li key={message} data-failure={isFailure || undefined}>
              <Icon name="warning" size={16} />
              <span>
                <strong>{isFailure ? status.failure : status.warning}</strong>{' '}
                <bdi>{visible(message)}</bdi>
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** The processes that share the storage. */
export function Processes({ processes }: { processes: readonly ServerProcess[] }): ReactNode {
  const { status } = useTexts()
  return (
    <section>
      <h2 className={classes.part}>{status.processes}</h2>
      <p className={classes.quiet}>{processes.length === 0 ? status.noCluster : status.noLeader}</p>
      {processes.length > 0 && (
        <DataTable
          label={status.processes}
          heads={[status.name, status.address, status.heartbeat]}
          minWidth={420}
        >
          {processes.map((one) => (
            <Table.Tr key={`${one.name} ${one.address} ${one.isThis}`}>
              <Table.Td>
                <bdi>{clip(one.name)}</bdi>
                {one.isThis && <span className={classes.this}>{status.thisProcess}</span>}
              </Table.Td>
              <Table.Td>
                <bdi>{clip(one.address)}</bdi>
              </Table.Td>
              <Table.Td>
                <Since at={one.heartbeatAt} />
              </Table.Td>
            </Table.Tr>
          ))}
        </DataTable>
      )}
    </section>
  )
}
