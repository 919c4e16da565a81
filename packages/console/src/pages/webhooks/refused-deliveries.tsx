import { Table } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { hooks, useWebhookToken } from '../../data/webhooks.ts'
import { useTexts } from '../../texts/texts.ts'
import { clip } from '../../widgets/clip.ts'
import { Failure } from '../../widgets/states.tsx'
import { LocalTime } from '../../widgets/time.tsx'
import classes from './webhooks-page.module.css'

/** The last deliveries of a webhook that the server refused, with the reason. */
export function RefusedDeliveries({ id }: { id: string }): ReactNode {
  const { webhooks: texts } = useTexts()
  const token = useWebhookToken()
  const { data, error, refetch } = useQuery({
    queryKey: ['refusals', token, id],
    queryFn: ({ signal }) => hooks.refusals(id, { signal }),
    refetchInterval: 10_000,
  })
  const { refusals } = data ?? {}
  return (
    <section aria-label={texts.refusals}>
      <h2>{texts.refusals}</h2>
      {error !== null && <Failure error={error} triesAgain onRetry={() => void refetch()} />}
      {refusals?.length === 0 && <p>{texts.noRefusals}</p>}
      {refusals !== undefined && refusals.length > 0 && (
        <>
          <p>{texts.refusalsNote}</p>
          <Table.ScrollContainer minWidth={480}>
            <Table>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{texts.refusedAt}</Table.Th>
                  <Table.Th>{texts.refusedCode}</Table.Th>
                  <Table.Th>{texts.refusedAbout}</Table.Th>
                  <Table.Th>{texts.refusedFrom}</Table.Th>
                  <Table.Th>{texts.refusedRequest}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {refusals.map(({ at, code, about, client_ip, request_id }, nth) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a sender may use one request id twice
                  <Table.Tr key={`${request_id} ${nth}`}>
                    <Table.Td>
                      <LocalTime at={at} />
                    </Table.Td>
                    <Table.Td>{texts.codes[code] ?? code}</Table.Td>
                    <Table.Td>
                      <bdi>{about === undefined ? about : clip(about)}</bdi>
                    </Table.Td>
                    <Table.Td>{client_ip}</Table.Td>
                    <Table.Td className={classes.requestId}>
                      <bdi>{clip(request_id)}</bdi>
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        </>
      )}
    </section>
  )
}
