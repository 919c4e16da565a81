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
  it('make one peer with a ULID and no warning when none is given', () => {
    const { cluster: peer, warnings } = cluster()
    expect(peer?.name).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/)
    expect(peer?.address).toMatch(/:9094$/)
    expect(warnings).toBe(0)
  })

  it('switch the cluster off with an empty address, in both ways to write it', () => {
    expect(cluster('--cluster.listen-address=').cluster).toBeUndefined()
    expect(cluster('--cluster.listen-address', '').cluster).toBeUndefined()
  })

  it('warn once that nothing is gossiped', () => {
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

  it('leave name and address to this process where they are empty', () => {
    const peer = cluster('--cluster.peer-name=', '--cluster.advertise-address=').cluster
    expect(peer?.name).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/)
    expect(peer?.address).toMatch(/:9094$/)
  })
})
