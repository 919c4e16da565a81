import { launchConfig } from './api-server.ts'
import { type Server, whenReady } from './server.ts'

/** Options of {@link startNotifyingApis}. */
export interface NotifyingApiOptions {
  /** The section `storage` of the file. */
  readonly storage: Readonly<Record<string, unknown>>
  /** Where the file is written. The caller removes the folder. */
  readonly folder: string
  /** The URL of the receiver `team`. Groups are by the label `group`, each with its own path: `/0`, `/1` and so on. */
  readonly url: string
}

/** Nothing is repeated while a test runs. */
const alertmanagerConfig = (url: string): object => ({
  route: {
    receiver: 'team',
    group_by: ['group'],
    group_wait: '200ms',
    group_interval: '1s',
    repeat_interval: '1h',
  },
  receivers: [{ name: 'team', webhook_configs: [{ url }] }],
})

/**
 * Starts this many processes of the built `gatehouse api` on one storage, and waits until they are ready.
 *
 * @throws {Error} if one does not start; the others are stopped then.
 */
export async function startNotifyingApis(
  count: number,
  { storage, folder, url }: NotifyingApiOptions,
): Promise<readonly Server[]> {
  const startOne = async (place: number): Promise<Server> => {
    const alerts = { config: alertmanagerConfig(`${url}/${place}`) }
    const server = await launchConfig(
      { storage, alerts },
      { folder, flags: ['--listen', '127.0.0.1:0'] },
    )
    await whenReady(server)
    return server
  }
  const starts = await Promise.allSettled(Array.from({ length: count }, (_, i) => startOne(i)))
  const servers = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []))
  const failed = starts.find((start) => start.status === 'rejected')
  if (failed === undefined) return servers
  await Promise.all(servers.map((server) => server.stop()))
  throw failed.reason
}
