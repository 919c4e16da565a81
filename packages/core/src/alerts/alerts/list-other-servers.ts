import type { AlertsContext } from '../context.ts'
import type * as wire from '../wire/types.generated.ts'

/** Another server whose alerts can be read here. */
export type ListedServer = wire.OtherServers['items'][number]

/** Lists the other servers of the option `otherServers`, without their URLs and secrets. */
export async function listOtherServers({
  others,
}: AlertsContext): Promise<readonly ListedServer[]> {
  return others.servers.map(({ name, externalUrl }) => ({
    name,
    ...(externalUrl === undefined ? {} : { url: externalUrl }),
  }))
}
