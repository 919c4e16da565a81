import { expect, it } from 'vitest'
import { heartbeatIntervalMs, heartbeatLifeMs, listedPeers } from './peer.ts'

it('peers are listed by name in the order of its bytes, then by address', () => {
  const peers = [
    { name: 'b', address: 'h:1' },
    { name: '\u{1f600}', address: 'h:1' },
    { name: '\uffee', address: 'h:1' },
    { name: 'a', address: 'h:2' },
    { name: 'a', address: 'h:1' },
    { name: 'B', address: 'h:1' },
  ]
  expect(listedPeers(peers).map(({ name, address }) => `${name} ${address}`)).toEqual([
    'B h:1',
    'a h:1',
    'a h:2',
    'b h:1',
    '\uffee h:1',
    '\u{1f600} h:1',
  ])
})

it('peers of one name and one address are listed once, whatever their texts hold', () => {
  const peer = { name: 'a","b', address: 'c' }
  const other = { name: 'a', address: 'b","c' }
  expect(listedPeers([peer, { ...peer }, other])).toEqual([other, peer])
})

it('a heartbeat outlives three renewals that fail', () => {
  expect(heartbeatLifeMs).toBeGreaterThan(3 * heartbeatIntervalMs)
})
