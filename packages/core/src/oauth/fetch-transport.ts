import type { HostCheck } from './host-check.ts'
import { hostOf, type Transport } from './transport.ts'

/** What is used of an answer of `fetch`. */
export interface FetchAnswer {
  readonly status: number
  readonly headers: { get(name: string): string | null }
  readonly body: ReadableStream<Uint8Array> | null
}

/** What `fetch` is given. */
export interface FetchInit {
  method: 'GET' | 'POST'
  headers: Record<string, string>
  body?: string
  redirect: 'manual'
  signal: AbortSignal
}

/** What is needed of `fetch`: that of the platform, or one that goes through a proxy. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchAnswer>

/**
 * Sends by a `fetch`, after a look at the addresses of the host. `fetch` looks them up again itself: whoever can point the name to
 * another address in between gets past this.
 */
export function createFetchTransport(fetch: Fetch, checkHost: HostCheck): Transport {
  return async ({ method, url, headers, body }, signal) => {
    await checkHost(hostOf(url))
    const {
      status,
      headers: answered,
      body: stream,
    } = await fetch(url.href, {
      method,
      headers: { ...headers },
      ...(body === undefined ? {} : { body }),
      redirect: 'manual',
      signal,
    })
    return {
      status,
      location: answered.get('location') ?? undefined,
      body: chunksOf(stream),
      // A stream that has already failed needs no cancelling.
      discard: () => void stream?.cancel().catch(() => undefined),
    }
  }
}

async function* chunksOf(stream: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  if (stream === null) return
  const reader = stream.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    // Also of a stream that has ended or failed: then it does nothing.
    reader.cancel().catch(() => undefined)
  }
}
