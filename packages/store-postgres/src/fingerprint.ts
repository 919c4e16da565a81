/** A 52-bit hash of a text, the same in every process. */
export function fingerprint(text: string): number {
  let [high, low] = [0x811c9dc5, 0x1b873593]
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    high = Math.imul(high ^ code, 0x01000193) >>> 0
    low = (Math.imul(low, 31) + code) >>> 0
  }
  return (high & 0xfffff) * 0x1_0000_0000 + low
}
