import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

/** A received request. */
export interface SeenRequest {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: { readonly [name: string]: string | string[] | undefined }
  readonly form: URLSearchParams
}

/** An answer: a JSON value with the status 200, or the given status, headers and body. */
export type FakeAnswer =
  | { readonly json: unknown; readonly status?: number }
  | {
      readonly text: string
      readonly status?: number
      readonly headers?: { readonly [name: string]: string }
    }
  | { readonly write: (response: ServerResponse) => void }

/** Chooses the answer to a request. */
export type Answering = (request: SeenRequest) => FakeAnswer | Promise<FakeAnswer>

/** A server with scripted answers. */
export interface FakeServer {
  /** For example `http://127.0.0.1:34567`. */
  readonly origin: string
  /** In order of arrival. */
  readonly requests: readonly SeenRequest[]
  /** Sets the answer at a path. */
  answer(path: string, answer: FakeAnswer | Answering): void
}

/** Starts a server on the loopback interface that ends with the calling test. All paths are unknown at first. */
export async function startFakeServer(): Promise<FakeServer> {
  const requests: SeenRequest[] = []
  const answers = new Map<string, Answering>()
  const server = createServer((message, response) => {
    const url = new URL(message.url ?? '', 'http://server')
    const take = async (): Promise<void> => {
      const request = {
        method: message.method ?? '',
        path: url.pathname,
        query: url.searchParams,
        headers: message.headers,
        form: new URLSearchParams(await readText(message)),
      }
      requests.push(request)
      send(response, (await answers.get(url.pathname)?.(request)) ?? { text: 'none', status: 404 })
    }
    take().catch((error: unknown) => response.writeHead(500).end(String(error)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    return new Promise<void>((resolve) => server.close(() => resolve()))
  })
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    answer(path, answer) {
      answers.set(path, typeof answer === 'function' ? answer : () => answer)
    },
  }
}

function send(response: ServerResponse, answer: FakeAnswer): void {
  if ('write' in answer) {
    answer.write(response)
    return
  }
  const isJson = 'json' in answer
  const headers = isJson ? { 'content-type': 'application/json' } : answer.headers
  response.writeHead(answer.status ?? 200, headers)
  response.end(isJson ? JSON.stringify(answer.json) : answer.text)
}
