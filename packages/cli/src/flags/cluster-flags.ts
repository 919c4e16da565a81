import type { Logger } from '@gatehouse/core'
import type { Peer } from '@gatehouse/core/alerts'
import type { Command } from 'commander'
import { newPeerName, peerAddress } from '../cluster.ts'
import { parseListenAddress } from '../server/listen-address.ts'
import { addSwitch, durationFlag, repeatedFlag } from './flags.ts'

/** The flags of {@link acceptClusterFlags} that say something. */
export interface ClusterFlags {
  readonly 'cluster.listenAddress': string
  readonly 'cluster.advertiseAddress'?: string
  readonly 'cluster.peerName'?: string
}

const notUsed = 'taken and not used'

/** Flags about gossip, which there is none of: several processes share what the storage holds. */
export function acceptClusterFlags(command: Command): void {
  command
    .option(
      '--cluster.listen-address <address>',
      'unless empty, /status lists this process and all that share its storage; nothing listens there',
      '0.0.0.0:9094',
    )
    .option('--cluster.advertise-address <address>', 'the address of this process in /status')
    .option('--cluster.peer-name <name>', 'its name in /status (default: a new one at every start)')
    .option('--cluster.peer <address>', `${notUsed}; may be repeated`, repeatedFlag)
  for (const name of [
    'peer-timeout',
    'peers-resolve-timeout',
    'gossip-interval',
    'pushpull-interval',
    'tcp-timeout',
    'probe-timeout',
    'probe-interval',
    'settle-timeout',
    'reconnect-interval',
    'reconnect-timeout',
  ]) {
    command.option(`--cluster.${name} <duration>`, notUsed, durationFlag)
  }
  command.option('--cluster.tls-config <file>', notUsed)
  command.option('--cluster.label <label>', notUsed)
  addSwitch(command, 'cluster.allow-insecure-public-advertise-address-discovery', notUsed)
}

/** Flags that say how this process is listed: whoever gives these alone does not expect gossip. */
const ofStatus: ReadonlySet<string> = new Set([
  '--cluster.advertise-address',
  '--cluster.peer-name',
])

/**
 * What this process is in the cluster. Logs once that nothing is gossiped if a flag asks for it.
 *
 * @throws {Error} if the address does not fit.
 */
export function clusterOf(command: Command, flags: ClusterFlags, logger: Logger): Peer | undefined {
  const address = flags['cluster.listenAddress']
  if (address === '') return undefined
  const asked = command.options
    .filter(({ long = '' }) => long.startsWith('--cluster.') && !ofStatus.has(long))
    .some((option) => command.getOptionValueSource(option.attributeName()) === 'cli')
  if (asked) {
    logger.warn({}, 'nothing is gossiped: processes share what their common storage holds')
  }
  // As in Alertmanager, an empty text is no name and no address.
  return {
    name: flags['cluster.peerName'] || newPeerName(Date.now()),
    address: flags['cluster.advertiseAddress'] || peerAddress(parseListenAddress(address)),
  }
}
