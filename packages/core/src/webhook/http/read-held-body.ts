import type { RouteRequest } from '../../http/route.ts'
import type { BodyBudget, BodyHold } from '../body/body-budget.ts'
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
}

/** Up to this many bytes are taken from the budget before they arrive. */
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
 * Reads the body of a request. Its share of the budget grows with the received bytes: a client that declares much and sends
 * little holds little.
 *
 * @throws {GatehouseError} `body_too_large`, `overloaded`; `invalid_request` if it breaks off. Nothing stays held then.
 */
export async function readHeldBody(
  request: RouteRequest,
  options: ReadHeldBodyOptions,
): Promise<HeldBody> {
  const { maxBytes, budget } = options
  const declared = checkDeclaredLength(request, maxBytes)
  const hold = budget.open()
  try {
    const isShort = declared !== undefined && declared <= firstBytes
    const bytes = isShort
      ? await readWhole(request, declared, hold)
      : await readGrowing(request, declared ?? maxBytes, hold)
    if (bytes.length > maxBytes) throw tooLarge(maxBytes)
    return { bytes, hold }
  } catch (error) {
    hold.release()
    throw error
  }
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

/** Reserves addresses for this many bytes, and memory as it grows. */
function growingBuffer(maxByteLength: number): ArrayBuffer {
  try {
    return new ArrayBuffer(0, { maxByteLength })
  } catch {
    throw overloaded() // the address space is exhausted
  }
}

/** Copies the pieces into one growing buffer, so that many tiny pieces cost no more than a few. */
async function readGrowing(
  request: RouteRequest,
  maxBytes: number,
  hold: BodyHold,
): Promise<Uint8Array> {
  const buffer = growingBuffer(maxBytes)
  const reader = request.body?.getReader()
  const bytes = new Uint8Array(buffer)
  let length = 0
  const resize = (capacity: number): void => {
    take(hold, capacity)
    buffer.resize(capacity)
  }
  try {
    for (;;) {
      const read = await reader?.read().catch(() => Promise.reject(unreadable()))
      if (read?.value === undefined) break
      const end = length + read.value.length
      if (end > maxBytes) throw tooLarge(maxBytes)
      if (end > bytes.length)
        resize(Math.min(Math.max(end, firstBytes, 2 * bytes.length), maxBytes))
      bytes.set(read.value, length)
      length = end
    }
    // A waiting run holds its body as long, and many may wait.
    resize(length)
    return bytes
  } catch (error) {
    // The answer is the same whether cancelling succeeds or not.
    reader?.cancel().catch(() => {})
    throw error
  }
}
