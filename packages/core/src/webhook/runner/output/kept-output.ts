import type { KeptBytes } from './output-text.ts'

/** Keeps one end of an output, up to a limit. */
export interface KeptOutput {
  add(chunk: Uint8Array): void
  /** The kept bytes so far; later pieces do not change them. */
  kept(): KeptBytes
}

const smallest = 1_024
const nothing = new Uint8Array()

/** Creates a {@link KeptOutput}. It takes no memory before the first piece, and at most twice its limit. */
export function createKeptOutput(limit: number, keep: 'head' | 'tail'): KeptOutput {
  let buffer = nothing
  let length = 0
  let total = 0

  const reserve = (size: number): void => {
    if (size <= buffer.length) return
    const most = keep === 'head' ? limit : 2 * limit
    const grown = new Uint8Array(Math.min(most, Math.max(smallest, 2 * size)))
    grown.set(buffer.subarray(0, length))
    buffer = grown
  }

  const append = (bytes: Uint8Array): void => {
    reserve(length + bytes.length)
    buffer.set(bytes, length)
    length += bytes.length
  }

  return {
    add(chunk) {
      total += chunk.length
      if (keep === 'head') return append(chunk.subarray(0, limit - length))
      const end = chunk.subarray(Math.max(0, chunk.length - limit))
      if (length + end.length > 2 * limit) {
        // Moves once per `limit` bytes, so each byte is copied at most twice.
        buffer.copyWithin(0, length - limit, length)
        length = limit
      }
      append(end)
    },

    kept: () => ({
      bytes: length === 0 ? nothing : buffer.slice(Math.max(0, length - limit), length),
      total,
    }),
  }
}
