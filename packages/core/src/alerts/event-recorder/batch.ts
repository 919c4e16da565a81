/** How much one request takes. */
export interface BatchLimits {
  readonly events: number
  readonly bytes: number
}

/** The number of the first waiting lines that the next request takes: at least one, and as many as the limits allow. */
export function batchSize(lines: readonly string[], limits: BatchLimits): number {
  let count = 1
  let bytes = lines[0]?.length ?? 0
  while (count < Math.min(limits.events, lines.length)) {
    bytes += 1 + (lines[count]?.length ?? 0)
    if (bytes > limits.bytes) break
    count++
  }
  return count
}
