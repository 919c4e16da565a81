import type { RouteRequest } from '../../http/route.ts'
import type { BodyBudget, BodyHold } from '../body/body-budget.ts'
import { invalidRequest, webhookError } from '../errors.ts'

/** A body that was read, and that counts as held until its hold is released. */
export interface HeldBody {
  readonly bytes: Uint8Array
  readonly hold: BodyHold
}

/** Options of {@link readHeldBody}. */
export interface ReadHeldBodyOptions {
  /** How many bytes the body may have. */
  readonly maxBytes: number
  readonly budget: BodyBudget
}

/** Up to this many bytes are taken from the budget before they have come. */
const firstBytes = 16 * 1024

const tooLarge = (maxBytes: number): Error =>
  webhookError('body_too_large', `the body is larger than ${maxBytes} bytes`)

const overloaded = (): Error =>
  webhookError('overloaded', 'too many requests are being read; try again')

const unreadable = (): Error =>
  invalidRequest([{ path: '', problem: 'the body could not be read to its end' }])

/** What the header says, where it can be believed. */
function declaredLength({ headers }: RouteRequest): number | undefined {
  const length = headers.get('content-length')
  const isBelieved = length !== null && /^\d+$/.test(length) && !headers.has('transfer-encoding')
  return isBelieved ? Number(length) : undefined
}

/**
 * Refuses a body by the length it is said to have, before anything of it is read.
 *
 * @returns that length, where it can be believed.
 * @throws {GatehouseError} `body_too_large`.
 */
export function checkDeclaredLength(request: RouteRequest, maxBytes: number): number | undefined {
  const declared = declaredLength(request)
  if (declared !== undefined && declared > maxBytes) throw tooLarge(maxBytes)
  return declared
}

/**
 * The body of a request. What it may take of the budget grows with what has come: a client that says much and sends
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

/** A server lets no more through than the length says, and reading at once is much faster than a stream. */
function readWhole(request: RouteRequest, length: number, hold: BodyHold): Promise<Uint8Array> {
  take(hold, length)
  return request.arrayBuffer().then(
    (buffer) => new Uint8Array(buffer),
    () => Promise.reject(unreadable()),
  )
}

/** Takes addresses for so many bytes, and memory as it grows. */
function growingBuffer(maxByteLength: number): ArrayBuffer {
  try {
    return new ArrayBuffer(0, { maxByteLength })
  } catch {
    throw overloaded() // there are no addresses left
  }
}

/** Copies what comes into one place that grows where it is: a body of many tiny pieces costs no more than one of few. */
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
    // A run that waits for its place holds its body as long, and many may wait.
    resize(length)
    return bytes
  } catch (error) {
    // Whether the rest can be refused or not, the answer is the same.
    reader?.cancel().catch(() => {})
    throw error
  }
}
