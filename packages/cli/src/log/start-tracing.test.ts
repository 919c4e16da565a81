import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Logger } from '@gatehouse/core'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { captureServer } from '../../../core/src/http/capture-server.fixture.ts'
import { type Serving, serveCli } from '../main.fixture.ts'
import { startTracing, type TracingLoaders } from './start-tracing.ts'

const base = 'route: { receiver: team, group_wait: 0s }\nreceivers: [{ name: team }]\n'

/** Starts tracing as a configuration says, and returns the warnings. */
async function start(tracing: string, loaders?: TracingLoaders) {
  const warnings: object[] = []
  const ignore = (): void => {}
  const warn = (fields: object): void => void warnings.push(fields)
  const logger: Logger = { debug: ignore, info: ignore, error: ignore, warn }
  const started = await startTracing(
    {
      config: { text: `${base}${tracing}` },
      matcherMode: 'fallback',
      version: '1.2.3',
      logger,
    },
    loaders,
  )
  return { started, warnings }
}

const missing = (name: string) => () =>
  Promise.reject(
    Object.assign(new Error(`Cannot find package '${name}'`), { code: 'ERR_MODULE_NOT_FOUND' }),
  )

describe('startTracing()', () => {
  it('sends spans over HTTP, with headers, until it is stopped', async () => {
    const { url, requests } = await captureServer()
    const { host } = new URL(url)
    const { started, warnings } = await start(
      `tracing: { client_type: http, endpoint: '${host}', insecure: true, sampling_fraction: 1, http_headers: { x-token: hush }, timeout: 30s }`,
    )
    expect(warnings).toEqual([])
    started?.tracer.startSpan('of-the-test', { attributes: { size: 1 } }).end()
    await started?.stop()
    expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual(['POST /v1/traces'])
    expect(requests[0]?.headers['x-token']).toBe('hush')
    for (const part of ['of-the-test', 'service.name', 'gatehouse', '1.2.3']) {
      expect(requests[0]?.body).toContain(part)
    }
  })

  it.each(['http', 'grpc'])(
    'stops well while no collector takes spans over %s, and warns',
    async (type) => {
      const { started, warnings } = await start(
        `tracing: { client_type: ${type}, endpoint: '127.0.0.1:9', insecure: true, sampling_fraction: 1, timeout: 1s }`,
      )
      started?.tracer.startSpan('of-the-test', {}).end()
      await started?.stop()
      expect(warnings).toEqual([{ why: expect.any(String) }])
    },
  )

  it('sends nothing of what is not sampled: by default nothing is', async () => {
    const { url, requests } = await captureServer()
    const { started } = await start(
      `tracing: { client_type: http, endpoint: '${url}/v1/traces', insecure: true }`,
    )
    started?.tracer.startSpan('of-the-test', {}).end()
    await started?.stop()
    expect(requests).toEqual([])
  })

  it('is off without `tracing`, even if the word occurs', async () => {
    expect(await start('# tracing: {}\n')).toEqual({ started: undefined, warnings: [] })
  })

  it.each([
    [
      'http',
      'it needs the package "@opentelemetry/exporter-trace-otlp-proto", which is not installed: npm install @opentelemetry/exporter-trace-otlp-proto',
    ],
    [
      'grpc',
      'it needs the package "@opentelemetry/exporter-trace-otlp-grpc", which is not installed: npm install @opentelemetry/exporter-trace-otlp-grpc',
    ],
  ])('names the package that %s needs, and goes on without tracing', async (type, why) => {
    const { started, warnings } = await start(
      `tracing: { client_type: ${type}, endpoint: 'a:1' }`,
      {
        sdk: () => import('@opentelemetry/sdk-trace-node'),
        resources: () => import('@opentelemetry/resources'),
        http: missing('@opentelemetry/exporter-trace-otlp-proto'),
        grpc: missing('@opentelemetry/exporter-trace-otlp-grpc'),
      },
    )
    expect(started).toBeUndefined()
    expect(warnings).toEqual([{ why }])
  })

  it('says that gRPC has no headers and no certificates', async () => {
    const { warnings } = await start(
      `tracing: { endpoint: 'a:1', http_headers: { x-token: hush } }`,
    )
    expect(warnings).toEqual([{ why: 'http_headers and tls_config need client_type: http' }])
  })
})

describe('tracing of the command', () => {
  let folder: string
  let server: Serving | undefined
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'))
  })
  afterEach(async () => {
    server?.signal('SIGKILL')
    await server?.ended
    vi.unstubAllEnvs()
    rmSync(folder, { recursive: true })
  })

  it('sends the spans of a post and of a flush, the last ones when it stops', async () => {
    const { url, requests } = await captureServer()
    const { host } = new URL(url)
    const tracing = `tracing: { client_type: http, endpoint: '${host}', insecure: true, sampling_fraction: 1 }`
    writeFileSync(join(folder, 'alertmanager.yml'), `${base}${tracing}\n`)
    // Otherwise it waits for 5 s before it sends a batch.
    vi.stubEnv('OTEL_BSP_SCHEDULE_DELAY', '100')
    const flags = ['alertmanager', '--web.listen-address=127.0.0.1:0', '--storage.memory']
    server = await serveCli(flags, folder)
    const posted = await fetch(`${server.url}/api/v2/alerts`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify([{ labels: { alertname: 'A' } }]),
    })
    expect(posted.status).toBe(200)
    await expect
      .poll(() => requests.map(({ body }) => body).join(), { timeout: 60_000 })
      .toContain('alerts.post')
    server.signal('SIGTERM')
    expect((await server.ended).exitCode).toBe(0)
    expect(requests.map(({ body }) => body).join()).toContain('alerts.flush')
  })
})
