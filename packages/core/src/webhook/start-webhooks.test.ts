import { describe, expect, it } from 'vitest'
import { createRouteTable } from '../http/route-table.ts'
import { processWarnings } from './process-warnings.ts'
import { createFixture, webhookNamed } from './service.fixture.ts'
import { startWebhooks } from './start-webhooks.ts'

describe('startWebhooks', () => {
  it('closes the service when it is stopped, several calls included', async () => {
    const { webhooks, clock } = createFixture()
    const running = startWebhooks(webhooks)
    await Promise.all([running.stop(), running.stop()])
    expect(webhooks.isStopping()).toBe(true)
    expect(clock.pendingTimers).toBe(0)
  })

  it.each([
    [{}, 1],
    [{ warnings: false }, 0],
  ])('logs with %j which programs are missing', async (options, count) => {
    const webhook = { ...webhookNamed('job'), execute_command: '/nowhere/deploy.sh' }
    const { webhooks, lines } = createFixture({ config: { webhooks: [webhook] } })
    await startWebhooks(webhooks, options).stop()
    const missing = lines.filter(
      ({ level, fields }) =>
        level === 'warn' && Object(fields).path === 'webhooks[0].execute_command',
    )
    expect(missing).toHaveLength(count)
  })

  it.each([
    [{}, 1],
    [{ warnings: false }, 0],
  ])(
    'warns with %j once that another machine sent a request without TLS',
    async (options, count) => {
      const { webhooks, lines } = createFixture()
      const running = startWebhooks(webhooks, options)
      const table = createRouteTable(webhooks.routes)
      const send = async (address: string, secure: boolean): Promise<void> => {
        const match = table.match('GET', '/healthz')
        const info = { params: {}, path: '/healthz', mountPath: '', query: '', secure }
        await match?.route.answer(new Request('http://localhost/healthz'), {
          ...info,
          peer: { address },
        })
      }
      const warned = () =>
        lines.filter(({ message }) => message.startsWith('TLS is off, so tokens are sent'))
      await send('127.0.0.1', false)
      await send('192.0.2.1', true)
      expect(warned()).toHaveLength(0)
      for (const _ of ['once', 'again']) await send('192.0.2.1', false)
      expect(warned()).toHaveLength(count)
      await running.stop()
    },
  )

  it('refuses unknown options', () => {
    const { webhooks } = createFixture()
    expect(() => startWebhooks(webhooks, { record: false } as object)).toThrow('"records"')
  })
})

it.each([
  [{ pid: 1 }, [expect.stringContaining('process 1')]],
  [{ pid: 2, getuid: () => 0 }, [expect.stringContaining('as root')]],
  [{ pid: 2, getuid: () => 1000 }, []],
])('a process %o gets its warnings', (process, warnings) => {
  expect(processWarnings(process)).toEqual(warnings)
})
