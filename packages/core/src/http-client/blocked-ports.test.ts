import { describe, expect, it } from 'vitest'
import { hasBlockedPort } from './blocked-ports.ts'

const blockedBelow = (limit: number): readonly number[] =>
  Array.from({ length: limit }, (_, port) => port).filter((port) =>
    hasBlockedPort(new URL(`http://127.0.0.1:${port}/`)),
  )

describe('hasBlockedPort', () => {
  it.each(['http://h/', 'https://h/', 'http://h:80/', 'https://h:8443/', 'http://h:9093/'])(
    'allows requests to %s',
    (url) => {
      expect(hasBlockedPort(new URL(url))).toBe(false)
    },
  )

  it('blocks the ports that fetch blocks', async () => {
    const blocked = blockedBelow(11_000)
    expect(blocked.length).toBe(82)
    const causes = await Promise.all(
      blocked.map(async (port) => {
        const error: unknown = await fetch(`http://127.0.0.1:${port}/`).catch((e: unknown) => e)
        return error instanceof Error ? error.cause : error
      }),
    )
    for (const cause of causes) expect(cause).toMatchObject({ message: 'bad port' })
  })
})
