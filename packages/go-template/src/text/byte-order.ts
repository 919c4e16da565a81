/** Compares two texts by their UTF-8 bytes: below 0, 0 or above 0. */
export function compareBytes(a: string, b: string): number {
  if (a === b) return 0
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const unitA = a.charCodeAt(i)
    const unitB = b.charCodeAt(i)
    if (unitA !== unitB) return byteRank(unitA) - byteRank(unitB)
  }
  return a.length - b.length
}

/** Surrogates encode code points above U+FFFF, so in bytes they sort after U+E000 to U+FFFF. */
function byteRank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit
}
