import { hasBlockedPort } from './blocked-ports.ts'
import { clientError } from './errors.ts'
import { maxBodyBytes } from './read-answer.ts'
import type { OutgoingAnswer } from './send-request.ts'
import type { Agent, AnswerHeaders, RequestController } from './undici.ts'
import type { Exchange, WireRequest } from './wire.ts'

/**
 * Sends one request through an agent, a layer below `fetch`, because the browser semantics of `fetch` take many times as long as
 * the rest.
 *
 * @returns the response, as soon as its headers have arrived.
 * @throws {GatehouseError} `NotAnswered` if the port is blocked.
 * @throws the error of the connection, or the reason of `signal`.
 */
export function dispatchRequest(
  agent: Agent,
  { method, url, headers, body, maxAnswerBytes }: WireRequest,
  signal: AbortSignal,
): Promise<Exchange> {
  if (hasBlockedPort(url)) {
    return Promise.reject(clientError('NotAnswered', 'the port is not allowed'))
  }
  return new Promise((resolve, reject) => {
    const arriving = createArrivingBody(maxAnswerBytes)
    let controller: RequestController | undefined
    const giveUp = (): void => {
      controller?.abort(new DOMException('the request was canceled', 'AbortError'))
      end()
      reject(signal.reason)
    }
    const end = (): void => {
      signal.removeEventListener('abort', giveUp)
      arriving.end()
    }
    if (signal.aborted) return giveUp()
    signal.addEventListener('abort', giveUp)
    const path = url.pathname + url.search
    agent.dispatch(
      { origin: url.origin, path, method, headers: joined(headers), body: body ?? null },
      {
        onRequestStart(started) {
          controller = started
          if (signal.aborted) giveUp()
        },
        onResponseStart(_, status, given) {
          if (status < 200) return // an informational response
          resolve({
            status,
            location: locationOf(given),
            read: () => arriving.text((text) => new LazyAnswer(status, given, text)),
            discard: async () => giveUp(),
          })
        },
        onResponseData(_, chunk) {
          if (!arriving.add(chunk)) giveUp()
        },
        onResponseEnd: end,
        onResponseError(_, error) {
          // Once the response has started, the part that has arrived counts.
          end()
          reject(error)
        },
      },
    )
  })
}

/** Joins the values of repeated header names with commas. */
function joined(headers: WireRequest['headers']): Record<string, string> {
  const lines: Record<string, string> = {}
  for (const [name, value] of headers) {
    const before = lines[name]
    lines[name] = before === undefined ? value : `${before}, ${value}`
  }
  return lines
}

function locationOf({ location }: AnswerHeaders): string | null {
  return typeof location === 'object' ? location.join(', ') : (location ?? null)
}

/** A response that creates its headers on demand, because few callers read them. */
class LazyAnswer implements OutgoingAnswer {
  readonly status: number
  readonly body: string
  readonly #given: AnswerHeaders
  #headers: Headers | undefined

  constructor(status: number, given: AnswerHeaders, body: string) {
    this.status = status
    this.body = body
    this.#given = given
  }

  get headers(): Headers {
    this.#headers ??= headersOf(this.#given)
    return this.#headers
  }
}

function headersOf(given: AnswerHeaders): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(given)) {
    for (const one of typeof value === 'string' ? [value] : (value ?? [])) headers.append(name, one)
  }
  return headers
}

/** The start of a body that arrives in pieces. */
interface ArrivingBody {
  /** Adds a piece; returns whether more is wanted. */
  add(chunk: Uint8Array): boolean
  /** Nothing more will arrive. */
  end(): void
  /** Converts everything that arrived until the end: at once if the end was reached. */
  text<T>(make: (text: string) => T): T | Promise<T>
}

function createArrivingBody(maxBytes: number = maxBodyBytes): ArrivingBody {
  const chunks: Uint8Array[] = []
  let left = maxBytes
  let isOver = false
  let onEnd = (): void => {}

  const text = (): string => {
    if (chunks.length === 0) return ''
    // An incomplete character at the end is dropped.
    const decoder = new TextDecoder()
    return chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join('')
  }

  return {
    add(chunk) {
      chunks.push(chunk.subarray(0, left))
      left -= chunk.length
      return left > 0
    },

    end() {
      isOver = true
      onEnd()
    },

    text: (make) =>
      isOver
        ? make(text())
        : new Promise((resolve) => {
            onEnd = () => resolve(make(text()))
          }),
  }
}
