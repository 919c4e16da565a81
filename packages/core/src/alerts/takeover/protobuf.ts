import { instant as checkInstant } from '../../storage/record-check.ts'

/** A value in a message: a number, or the bytes of a text or of another message. */
export type FieldValue = bigint | Uint8Array

/** The values of each field of a message, by its number, in their order. */
export type Message = ReadonlyMap<number, readonly FieldValue[]>

/** Bytes that are not a message. */
export class BrokenMessage extends Error {}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * The messages of a file in which the length stands before each.
 *
 * @throws {BrokenMessage} with the place.
 * @see Protocol Buffers, "Encoding"
 */
export function* readMessages(bytes: Uint8Array): Generator<Message> {
  const reader = new Reader(bytes)
  while (!reader.isAtEnd) yield readMessage(reader.block())
}

/** @throws {BrokenMessage} */
function readMessage(bytes: Uint8Array): Message {
  const reader = new Reader(bytes)
  const fields = new Map<number, FieldValue[]>()
  while (!reader.isAtEnd) {
    const tag = reader.varint()
    const field = Number(tag >> 3n)
    const value = reader.value(Number(tag & 7n))
    const values = fields.get(field)
    if (values === undefined) fields.set(field, [value])
    else values.push(value)
  }
  return fields
}

/** The last value of a field, as the format wants where one is expected. */
const lastOf = (message: Message, field: number): FieldValue | undefined =>
  message.get(field)?.at(-1)

/** A number; 0 if it is absent. @throws {BrokenMessage} */
export function numberIn(message: Message, field: number): bigint {
  const value = lastOf(message, field) ?? 0n
  if (typeof value !== 'bigint') throw new BrokenMessage(`field ${field} is not a number`)
  return value
}

/** @throws {BrokenMessage} */
function bytesIn(message: Message, field: number): Uint8Array | undefined {
  const value = lastOf(message, field)
  if (typeof value === 'bigint') throw new BrokenMessage(`field ${field} is a number`)
  return value
}

/** A text; empty if it is absent. @throws {BrokenMessage} */
export function textIn(message: Message, field: number): string {
  try {
    return utf8.decode(bytesIn(message, field))
  } catch (error) {
    if (error instanceof BrokenMessage) throw error
    throw new BrokenMessage(`field ${field} is not UTF-8`)
  }
}

/** A message in a message. @throws {BrokenMessage} */
export function messageIn(message: Message, field: number): Message | undefined {
  const bytes = bytesIn(message, field)
  return bytes === undefined ? undefined : readMessage(bytes)
}

/** All messages of a repeated field. @throws {BrokenMessage} */
export function messagesIn(message: Message, field: number): readonly Message[] {
  return (message.get(field) ?? []).map((value) => {
    if (typeof value === 'bigint') throw new BrokenMessage(`field ${field} is a number`)
    return readMessage(value)
  })
}

/** All numbers of a repeated field, packed or not. @throws {BrokenMessage} */
export function numbersIn(message: Message, field: number): readonly bigint[] {
  return (message.get(field) ?? []).flatMap((value) => {
    if (typeof value === 'bigint') return [value]
    const reader = new Reader(value)
    const numbers: bigint[] = []
    while (!reader.isAtEnd) numbers.push(reader.varint())
    return numbers
  })
}

/** A `google.protobuf.Timestamp` in milliseconds; undefined if it is absent. @throws {BrokenMessage} */
export function instantIn(message: Message, field: number): number | undefined {
  const timestamp = messageIn(message, field)
  if (timestamp === undefined) return undefined
  const seconds = BigInt.asIntN(64, numberIn(timestamp, 1))
  const instant = Number(seconds) * 1_000 + Math.floor(Number(numberIn(timestamp, 2)) / 1_000_000)
  if (checkInstant(instant) !== undefined) throw new BrokenMessage(`field ${field} is not a time`)
  return instant
}

class Reader {
  readonly #bytes: Uint8Array
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length
  }

  varint(): bigint {
    let value = 0n
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.#bytes[this.#at++]
      if (byte === undefined) throw new BrokenMessage(`it ends at byte ${this.#at - 1}`)
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return BigInt.asUintN(64, value)
    }
    throw new BrokenMessage(`no number at byte ${this.#at}`)
  }

  block(): Uint8Array {
    return this.#take(this.varint())
  }

  value(wireType: number): FieldValue {
    switch (wireType) {
      case 0:
        return this.varint()
      case 1:
        return this.#take(8n)
      case 2:
        return this.block()
      case 5:
        return this.#take(4n)
      default:
        throw new BrokenMessage(`no field at byte ${this.#at}`)
    }
  }

  #take(length: bigint): Uint8Array {
    const end = BigInt(this.#at) + length
    if (end > BigInt(this.#bytes.length)) {
      throw new BrokenMessage(`it ends at byte ${this.#bytes.length}`)
    }
    const taken = this.#bytes.subarray(this.#at, Number(end))
    this.#at = Number(end)
    return taken
  }
}
