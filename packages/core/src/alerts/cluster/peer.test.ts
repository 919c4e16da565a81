import { expect, it } from 'vitest'
import { heartbeatIntervalMs, heartbeatLifeMs, listedPeers } from './peer.ts'

it('peers are listed by name in byte order, then by address', () => {
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

it('peers with the same name and address are listed once, whatever characters they contain', () => {
  const peer = { name: 'a","b', address: 'c' }
  const other = { name: 'a', address: 'b","c' }
  expect(listedPeers([peer, { ...peer }, other])).toEqual([other, peer])
})

it('a heartbeat survives three failed renewals', () => {
  expect(heartbeatLifeMs).toBeGreaterThan(3 * heartbeatIntervalMs)
})
