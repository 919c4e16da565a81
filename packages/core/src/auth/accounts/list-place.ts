import { invalidInput } from '../../input/refusal.ts'

/** Where a page ends, in the order of its index. */
export interface Place {
  readonly key: string | number
  readonly id: string
}

/** The text for the `next` of a page. */
export const cursorOf = ({ key, id }: Place): string =>
  Buffer.from(JSON.stringify([key, id])).toString('base64url')

/** Where the page before ended. @throws {GatehouseError} `InvalidInput` */
export function placeOf(cursor: string, keyType: 'number' | 'string'): Place {
  try {
    const [key, id]: unknown[] = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    const isKey = typeof key === 'string' || typeof key === 'number'
    if (isKey && typeof key === keyType && typeof id === 'string') return { key, id }
  } catch {
    // Refused below.
  }
  throw invalidInput('query.after', 'the "next" of a page', 'another text')
}
