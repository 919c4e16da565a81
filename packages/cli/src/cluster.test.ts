import { describe, expect, it } from 'vitest'
import { newPeerName, peerAddress } from './cluster.ts'

describe('newPeerName()', () => {
  it('has the 26 characters of a ULID and starts with its time', () => {
    const name = newPeerName(1_469_918_176_385)
    expect(name).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/)
    expect(name.slice(0, 10)).toBe('01ARYZ6S41')
  })

  it('differs from call to call', () => {
    expect(newPeerName(0)).not.toBe(newPeerName(0))
  })
})

describe('peerAddress()', () => {
  it('is the address that is listened on', () => {
    expect(peerAddress({ host: '10.0.0.1', port: 9094 })).toBe('10.0.0.1:9094')
    expect(peerAddress({ host: '::1', port: 9094 })).toBe('[::1]:9094')
  })

  it('is an address of the machine where every address is listened on', () => {
    for (const address of [{ host: '0.0.0.0', port: 9094 }, { port: 9094 }]) {
      expect(peerAddress(address)).toMatch(/^(\d+\.\d+\.\d+\.\d+|\[[0-9a-f:]+\]):9094$/)
    }
  })
})
