const mask = 0xffff_ffff_ffff_ffffn
const [prime1, prime2, prime3, prime4, prime5] = [
  0x9e3779b185ebca87n,
  0xc2b2ae3d27d4eb4fn,
  0x165667b19e3779f9n,
  0x85ebca77c2b2ae63n,
  0x27d4eb2f165667c5n,
] as const

const times = (a: bigint, b: bigint): bigint => (a * b) & mask
const plus = (a: bigint, b: bigint): bigint => (a + b) & mask
const rotate = (value: bigint, bits: bigint): bigint =>
  ((value << bits) | (value >> (64n - bits))) & mask
const round = (lane: bigint, input: bigint): bigint =>
  times(rotate(plus(lane, times(input, prime2)), 31n), prime1)
const merge = (hash: bigint, lane: bigint): bigint =>
  plus(times(hash ^ round(0n, lane), prime1), prime4)

/**
 * The XXH64 hash of some bytes with the seed 0. Slow: for the few thousand alerts of a takeover.
 *
 * @see xxHash fast digest algorithm, "XXH64 Algorithm Description"
 */
export function xxhash64(bytes: Uint8Array): bigint {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let at = 0
  let hash: bigint = prime5
  if (bytes.length >= 32) {
    let lanes = [plus(prime1, prime2), prime2, 0n, (mask + 1n - prime1) & mask]
    for (; at + 32 <= bytes.length; at += 32) {
      const start = at
      lanes = lanes.map((lane, index) => round(lane, view.getBigUint64(start + 8 * index, true)))
    }
    const [a = 0n, b = 0n, c = 0n, d = 0n] = lanes
    hash = plus(plus(rotate(a, 1n), rotate(b, 7n)), plus(rotate(c, 12n), rotate(d, 18n)))
    for (const lane of lanes) hash = merge(hash, lane)
  }
  hash = plus(hash, BigInt(bytes.length))
  for (; at + 8 <= bytes.length; at += 8) {
    hash = plus(times(rotate(hash ^ round(0n, view.getBigUint64(at, true)), 27n), prime1), prime4)
  }
  if (at + 4 <= bytes.length) {
    const input = BigInt(view.getUint32(at, true))
    hash = plus(times(rotate(hash ^ times(input, prime1), 23n), prime2), prime3)
    at += 4
  }
  for (; at < bytes.length; at++) {
    hash = times(rotate(hash ^ times(BigInt(view.getUint8(at)), prime5), 11n), prime1)
  }
  hash = times(hash ^ (hash >> 33n), prime2)
  hash = times(hash ^ (hash >> 29n), prime3)
  return hash ^ (hash >> 32n)
}
