import type { RouteRequest } from '../../http/route.ts'
import { Denial } from '../access/denial.ts'
import type { BodyBudget, BodyHold } from '../body/body-budget.ts'
import { GatheredBytes } from '../body/gathered-bytes.ts'
import { type BodyEncoding, bodyEncoding, inflateBody } from '../body/inflate-body.ts'
import { invalidRequest, webhookError } from '../errors.ts'

/** A complete body, which counts as held until its hold is released. */
export interface HeldBody {
  readonly bytes: Uint8Array
  readonly hold: BodyHold
}

/** Options of {@link readHeldBody}. */
export interface ReadHeldBodyOptions {
  /** The limit of the body, in bytes. */
  readonly maxBytes: number
  readonly budget: BodyBudget
  /** Called once with the beginning of a long body. A denial ends the reading. */
  readonly refuse?: (start: Uint8Array) => Denial | undefined
}

/** A longer body is long: its share of the budget grows as it arrives. */
const firstBytes = 16 * 1024

const tooLarge = (maxBytes: number): Error =>
  webhookError('body_too_large', `the body is larger than ${maxBytes} bytes`)

const overloaded = (): Error =>
  webhookError('overloaded', 'too many requests are being read; try again')

const unreadable = (): Error =>
  invalidRequest([{ path: '', problem: 'the body could not be read completely' }])

/** The declared length, if it is credible. */
function declaredLength({ headers }: RouteRequest): number | undefined {
  const length = headers.get('content-length')
  const isBelieved = length !== null && /^\d+$/.test(length) && !headers.has('transfer-encoding')
  return isBelieved ? Number(length) : undefined
}

/**
 * Refuses a body with too large a declared length, before reading any of it.
 *
 * @returns the declared length, if it is credible.
 * @throws {GatehouseError} `body_too_large`.
 */
export function checkDeclaredLength(request: RouteRequest, maxBytes: number): number | undefined {
  const declared = declaredLength(request)
  if (declared !== undefined && declared > maxBytes) throw tooLarge(maxBytes)
  return declared
}

/**
 * Reads the body of a request, and decompresses it. Its share of the budget grows with the received bytes: a client that declares much and sends
 * little holds little.
 *
 * @throws {GatehouseError} `unsupported_media_type` for an unknown compression; `body_too_large`, `overloaded`; `invalid_request` if it breaks off. Nothing stays held then.
 */
export async function readHeldBody(
  request: RouteRequest,
  options: ReadHeldBodyOptions & { readonly refuse?: undefined },
): Promise<HeldBody>
export async function readHeldBody(
  request: RouteRequest,
  options: ReadHeldBodyOptions,
): Promise<HeldBody | Denial>
export async function readHeldBody(
  request: RouteRequest,
  options: ReadHeldBodyOptions,
): Promise<HeldBody | Denial> {
  const { maxBytes, budget } = options
  const declared = checkDeclaredLength(request, maxBytes)
  const encoding = bodyEncoding(request.headers.get('content-encoding'))
  const hold = budget.open()
  try {
    const isShort = declared !== undefined && declared <= firstBytes
    const read = isShort
      ? await readWhole(request, declared, hold)
      : await readGrowing(request, options, hold)
    if (read instanceof Denial) {
      hold.release()
      return read
    }
    if (read.length > maxBytes) throw tooLarge(maxBytes)
    if (encoding === undefined || read.length === 0) return { bytes: read, hold }
    return { bytes: await inflateHeld(read, encoding, { maxBytes, hold }), hold }
  } catch (error) {
    hold.release()
    throw error
  }
}

/** Decompresses a body within the limit of bodies that come as they are. Both forms count as held meanwhile. */
async function inflateHeld(
  compressed: Uint8Array,
  encoding: BodyEncoding,
  { maxBytes, hold }: { readonly maxBytes: number; readonly hold: BodyHold },
): Promise<Uint8Array> {
  const bytes = await inflateBody(compressed, encoding, (length) => {
    if (length > maxBytes) throw tooLarge(maxBytes)
    take(hold, compressed.length + length)
  })
  take(hold, bytes.length)
  return bytes
}

/** @throws {GatehouseError} `overloaded` if others hold too much. */
function take(hold: BodyHold, bytes: number): void {
  if (!hold.resize(bytes)) throw overloaded()
}

/** Servers pass on no more than the declared length, and reading at once is much faster than a stream. */
function readWhole(request: RouteRequest, length: number, hold: BodyHold): Promise<Uint8Array> {
  take(hold, length)
  return request.arrayBuffer().then(
    (buffer) => new Uint8Array(buffer),
    () => Promise.reject(unreadable()),
  )
}

async function readGrowing(
  request: RouteRequest,
  { maxBytes, refuse }: ReadHeldBodyOptions,
  hold: BodyHold,
): Promise<Uint8Array | Denial> {
  const reader = request.body?.getReader()
  const body = new GatheredBytes()
  let isLong = false
  try {
    for (;;) {
      const read = await reader?.read().catch(() => Promise.reject(unreadable()))
      if (reader === undefined || read?.value === undefined) return body.whole()
      body.add(read.value)
      if (body.length > maxBytes) throw tooLarge(maxBytes)
      take(hold, body.length)
      if (isLong || body.length < firstBytes) continue
      isLong = true
      const denial = refuse?.(body.whole())
      if (denial === undefined) continue
      void drop(reader, maxBytes - body.length)
      return denial
    }
  } catch (error) {
    // The answer is the same whether canceling succeeds or not.
    reader?.cancel().catch(() => {})
    throw error
  }
}

/** Reads the rest of a body, so that a client that sends all of it before it reads gets its answer. */
async function drop(reader: ReadableStreamDefaultReader<Uint8Array>, bytes: number): Promise<void> {
  let left = bytes
  try {
    while (left >= 0) {
      const { value } = await reader.read()
      if (value === undefined) return
      left -= value.length
    }
    await reader.cancel()
  } catch {
    // The client has disconnected.
  }
}
