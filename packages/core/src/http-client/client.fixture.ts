import { readFile } from 'node:fs/promises'
import { onTestFinished } from 'vitest'
import { defaultHttpConfig } from '../alerts/fields/http-config.ts'
import { configured } from '../alerts/receivers/configured.fixture.ts'
import { createManualClock, type ManualClock } from '../testing/index.ts'
import { createHttpClient, type HttpClient, type HttpClientOptions } from './http-client.ts'
import type { HttpConfig } from './http-config.ts'
import type { OutgoingAnswer, OutgoingRequest } from './send-request.ts'

/** The decoded `http_config` of a configuration with these settings. */
export function httpConfigOf(settings: object): HttpConfig {
  return configured('webhook', { url: 'http://127.0.0.1/', http_config: settings }).http_config
}

/** A client for a test. */
export interface TestClient extends HttpClient {
  readonly clock: ManualClock
  /** Posts `{}` as JSON to a URL, unless `request` overrides it. */
  post(url: string, http?: HttpConfig, request?: Partial<OutgoingRequest>): Promise<OutgoingAnswer>
}

/** Creates a client that is closed when the calling test ends. */
export function createClient(options: Partial<HttpClientOptions> = {}): TestClient {
  const clock = createManualClock()
  const client = createHttpClient({
    clock,
    userAgent: 'Alertmanager/0.34.0',
    readFile: (path) => readFile(path, 'utf8'),
    ...options,
  })
  onTestFinished(() => client.close())
  return {
    ...client,
    clock,
    post(url, http = defaultHttpConfig, request = {}) {
      const headers = { 'content-type': 'application/json' }
      const sent = { method: 'POST', url, headers, body: '{}', ...request } as const
      return client.send(sent, http, new AbortController().signal)
    },
  }
}
