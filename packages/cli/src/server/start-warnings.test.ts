import { describe, expect, it } from 'vitest'
import { type Surroundings, socketWarnings, startWarnings } from './start-warnings.ts'

const quiet: Surroundings = {
  processId: 4_711,
  userId: 1_000,
  places: [{ host: '127.0.0.1', port: 8081 }],
  isSecure: false,
  configFile: '/etc/config.yaml',
  configMode: 0o100640,
  holdsLiteralSecrets: true,
}

describe('socketWarnings()', () => {
  const places = [{ fd: 3 }, { fd: 4, host: '::1', port: 80 }]

  it('warns of sockets that nobody uses', () => {
    expect(socketWarnings({ places: [], warnings: [] }, [{ port: 80 }])).toEqual([])
    expect(socketWarnings({ places, warnings: [] }, places)).toEqual([])
    expect(socketWarnings({ places, warnings: [] }, [{ host: '::1', port: 80 }])).toEqual([
      expect.stringMatching(/^the sockets of the service manager \(LISTEN_FDS\) are not used/),
    ])
  })

  it('repeats what was wrong with them', () => {
    expect(socketWarnings({ places: [], warnings: ['ignored'] }, [{ port: 80 }])).toEqual([
      'ignored',
    ])
  })
})

describe('startWarnings()', () => {
  it('has no warnings for a server behind a proxy that runs as its own user', () => {
    expect(startWarnings(quiet)).toEqual([])
    expect(startWarnings({ ...quiet, userId: undefined })).toEqual([])
  })

  it.each<[string, Partial<Surroundings>, RegExp]>([
    ['process 1', { processId: 1 }, /^the server is process 1/],
    ['root', { userId: 0 }, /^commands run as root/],
    [
      'a file with secrets that everybody can read',
      { configMode: 0o100644 },
      /^\/etc\/config\.yaml contains secrets/,
    ],
    ['an open port without TLS', { places: [{ port: 8081 }] }, /^TLS is off/],
    [
      'one open port of two',
      {
        places: [
          { host: '::1', port: 1 },
          { host: '10.0.0.1', port: 1 },
        ],
      },
      /^TLS is off/,
    ],
  ])('warns of %s', (_, given, warning) => {
    expect(startWarnings({ ...quiet, ...given })).toEqual([expect.stringMatching(warning)])
  })

  it.each<[string, Partial<Surroundings>]>([
    ['a file without secrets', { configMode: 0o100644, holdsLiteralSecrets: false }],
    ['an open port with TLS', { places: [{ port: 8081 }], isSecure: true }],
    ['a socket', { places: [{ path: '/run/socket' }] }],
  ])('does not warn of %s', (_, given) => {
    expect(startWarnings({ ...quiet, ...given })).toEqual([])
  })
})
