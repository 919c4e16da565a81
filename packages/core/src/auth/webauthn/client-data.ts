import * as z from 'zod/mini'

/**
 * The ceremony, the challenge and the page, as the browser reports them. @see WebAuthn Level 3, section 5.8.1,
 * `CollectedClientData`
 */
export interface ClientData {
  readonly challenge: string
  readonly origin: string
  /** Whether the page was in a frame of a page of another origin. */
  readonly crossOrigin?: boolean | undefined
  /** The origin of the outermost page, if it differs. */
  readonly topOrigin?: string | undefined
}

const clientDataSchema: z.ZodMiniType<ClientData> = z.object({
  challenge: z.string(),
  origin: z.string(),
  crossOrigin: z.optional(z.boolean()),
  topOrigin: z.optional(z.string()),
})

/** In characters; browsers need a few hundred. */
const maxClientDataLength = 65_536

/** Decodes client data from the base64url of a response; `undefined` for anything else. */
export function readClientData(encoded: unknown): ClientData | undefined {
  if (typeof encoded !== 'string' || encoded.length > maxClientDataLength) return undefined
  return clientDataSchema.safeParse(parseJson(Buffer.from(encoded, 'base64url').toString())).data
}

/** Whether the page has one of these origins, and is not framed by a page of another. */
export function isFromOrigins(clientData: ClientData, origins: readonly string[]): boolean {
  const { origin, crossOrigin = false, topOrigin } = clientData
  if (!origins.includes(origin)) return false
  if (crossOrigin) return topOrigin !== undefined && origins.includes(topOrigin)
  return topOrigin === undefined
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // JSON.parse() throws only for malformed text.
    return undefined
  }
}
