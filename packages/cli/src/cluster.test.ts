import { inspectDocument, parseDocument } from '@gatehouse/core/document'
import { describe, expect, it } from 'vitest'
import { newPeerName, peerAddress, peerOf } from './cluster.ts'
import { clusterSection } from './services/cluster-section.ts'

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
  it('is the address the server listens on', () => {
    expect(peerAddress({ host: '10.0.0.1', port: 9094 })).toBe('10.0.0.1:9094')
    expect(peerAddress({ host: '::1', port: 9094 })).toBe('[::1]:9094')
  })

  it('is an address of the machine if the server listens on every address', () => {
    for (const address of [{ host: '0.0.0.0', port: 9094 }, { port: 9094 }]) {
      expect(peerAddress(address)).toMatch(/^(\d+\.\d+\.\d+\.\d+|\[[0-9a-f:]+\]):9094$/)
    }
  })
})

describe('the cluster section', () => {
  const read = (text: string) => {
    const { value: section, problems } = inspectDocument(
      parseDocument({ text, format: 'yaml' }),
      clusterSection,
    )
    return { section, problems: problems.map(({ message }) => message) }
  }
  const listen = [{ host: '10.0.0.1', port: 9093 }, { port: 1 }]

  it('names the peer and its address', () => {
    const { section, problems } = read('{ name: one, address: "am.example:9093" }')
    expect(problems).toEqual([])
    expect(peerOf(section, listen)).toEqual({ name: 'one', address: 'am.example:9093' })
  })

  it('may be empty: then the name is new and the address is the first one the server listens on', () => {
    const { section, problems } = read('{}')
    expect(problems).toEqual([])
    expect(peerOf(section, listen)).toEqual({
      name: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{26}$/),
      address: '10.0.0.1:9093',
    })
  })

  it('creates no peer if it is absent', () => {
    expect(peerOf(undefined, listen)).toBeUndefined()
  })

  it('refuses other keys', () => {
    expect(read('{ peer: x }').problems).toEqual(['unknown key "peer"'])
  })
})
