import type { Logger } from '@gatehouse/core'
import type { Peer } from '@gatehouse/core/alerts'
import type { Command } from 'commander'
import { newPeerName, peerAddress } from '../cluster.ts'
import { parseListenAddress } from '../server/listen-address.ts'
import { addSwitch, durationFlag, repeatedFlag } from './flags.ts'

/** The flags of {@link acceptClusterFlags} that have an effect. */
export interface ClusterFlags {
  readonly 'cluster.listenAddress': string
  readonly 'cluster.advertiseAddress'?: string
  readonly 'cluster.peerName'?: string
}

const notUsed = 'accepted and ignored'

/** Gossip flags: accepted and ignored. Processes share state through their storage. */
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

/** Flags that only affect how this process is listed. A user who gives these alone does not expect gossip. */
const ofStatus: ReadonlySet<string> = new Set([
  '--cluster.advertise-address',
  '--cluster.peer-name',
])

/**
 * Describes this process as a cluster peer. If a flag asks for gossip, logs once that it is not supported.
 *
 * @throws {Error} if the address is not valid.
 */
export function clusterOf(command: Command, flags: ClusterFlags, logger: Logger): Peer | undefined {
  const address = flags['cluster.listenAddress']
  if (address === '') return undefined
  const asked = command.options
    .filter(({ long = '' }) => long.startsWith('--cluster.') && !ofStatus.has(long))
    .some((option) => command.getOptionValueSource(option.attributeName()) === 'cli')
  if (asked) {
    logger.warn({}, 'there is no gossip: processes share state through their common storage')
  }
  // As in Alertmanager, an empty text means the default.
  return {
    name: flags['cluster.peerName'] || newPeerName(Date.now()),
    address: flags['cluster.advertiseAddress'] || peerAddress(parseListenAddress(address)),
  }
}
