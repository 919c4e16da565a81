import { silentLogger } from '@gatehouse/core'
import { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { acceptClusterFlags, type ClusterFlags, clusterOf } from './cluster-flags.ts'

function cluster(...args: string[]): { cluster: ReturnType<typeof clusterOf>; warnings: number } {
  let warnings = 0
  const command = new Command().exitOverride()
  acceptClusterFlags(command)
  command.parse(args, { from: 'user' })
  const logger = { ...silentLogger, warn: () => warnings++ }
  return { cluster: clusterOf(command, command.opts<ClusterFlags>(), logger), warnings }
}

describe('the flags of a cluster', () => {
  it('create one peer with a ULID and no warning when none is given', () => {
    const { cluster: peer, warnings } = cluster()
    expect(peer?.name).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/)
    expect(peer?.address).toMatch(/:9094$/)
    expect(warnings).toBe(0)
  })

  it('disable the cluster with an empty address, in both spellings', () => {
    expect(cluster('--cluster.listen-address=').cluster).toBeUndefined()
    expect(cluster('--cluster.listen-address', '').cluster).toBeUndefined()
  })

  it('warn once that there is no gossip', () => {
    const { cluster: peer, warnings } = cluster(
      '--cluster.listen-address=10.0.0.1:9094',
      '--cluster.peer=a:9094',
      '--cluster.peer=b:9094',
      '--cluster.gossip-interval=1s',
      '--no-cluster.allow-insecure-public-advertise-address-discovery',
    )
    expect(peer?.address).toBe('10.0.0.1:9094')
    expect(warnings).toBe(1)
  })

  it('name the peer and its address', () => {
    const args = ['--cluster.peer-name=one', '--cluster.advertise-address', 'am.example:9094']
    const { cluster: peer, warnings } = cluster(...args)
    expect(peer).toEqual({ name: 'one', address: 'am.example:9094' })
    expect(warnings).toBe(0)
  })

  it('use the defaults for an empty name and address', () => {
    const peer = cluster('--cluster.peer-name=', '--cluster.advertise-address=').cluster
    expect(peer?.name).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/)
    expect(peer?.address).toMatch(/:9094$/)
  })
})
