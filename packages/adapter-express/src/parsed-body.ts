import type { IncomingMessage } from 'node:http'
import type { ReadBody } from '@gatehouse/adapter-node'

/** A request whose body a parser may have read. */
export interface ParsedRequest extends IncomingMessage {
  body?: unknown
  /** Set by programs that keep the raw bytes of a parsed body. */
  rawBody?: unknown
}

/** The body that a parser has read: the raw bytes, or else the parsed value as JSON. */
export function parsedBody({
  rawBody,
  body,
  readableDidRead,
}: ParsedRequest): ReadBody | undefined {
  for (const kept of [rawBody, readableDidRead ? body : undefined]) {
    if (kept instanceof Uint8Array) return { bytes: new Uint8Array(kept), isRebuilt: false }
    if (typeof kept === 'string') return { bytes: bytesOf(kept), isRebuilt: false }
  }
  if (!readableDidRead || body === undefined) return undefined
  return { bytes: bytesOf(JSON.stringify(body) ?? ''), isRebuilt: true }
}

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(text))
