import type { Logger } from '@gatehouse/core'
import type { Command } from 'commander'
import { newPeerName, peerAddress } from './cluster.ts'
import { addSwitch, durationFlag, repeatedFlag } from './flags.ts'
import { parseListenAddress } from './listen-address.ts'

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
      'unless empty, /status reports this process as the one ready peer; nothing listens there',
      '0.0.0.0:9094',
    )
    .option('--cluster.advertise-address <address>', 'the address of the peer in /status')
    .option('--cluster.peer-name <name>', 'the name of the peer in /status (default: a new one)')
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

/**
 * What `/status` is to report as the cluster. Logs once that nothing is gossiped if a flag asks for it.
 *
 * @throws {Error} if the address does not fit.
 */
export function clusterOf(
  command: Command,
  flags: ClusterFlags,
  logger: Logger,
): { name: string; address: string } | undefined {
  const address = flags['cluster.listenAddress']
  if (address === '') return undefined
  const asked = command.options
    .filter((option) => option.long?.startsWith('--cluster.') === true)
    .some((option) => command.getOptionValueSource(option.attributeName()) === 'cli')
  if (asked) {
    logger.warn({}, 'nothing is gossiped: processes share what their common storage holds')
  }
  const advertised = flags['cluster.advertiseAddress']
  return {
    name: flags['cluster.peerName'] ?? newPeerName(Date.now()),
    address: advertised ?? peerAddress(parseListenAddress(address)),
  }
}
