/** Longer pieces are kept as they are, shorter ones are copied into slabs of this length. */
const slabBytes = 16 * 1024

/** The bytes of a body that arrives in pieces. Many tiny pieces take no more memory than a few long ones. */
export class GatheredBytes {
  readonly #pieces: Uint8Array[] = []
  /** The last piece, as far as it is filled. */
  #slab: Uint8Array = new Uint8Array()
  #filled = 0
  #length = 0

  get length(): number {
    return this.#length
  }

  add(piece: Uint8Array): void {
    this.#length += piece.length
    const isShort = piece.length < slabBytes
    if (!isShort || piece.length > this.#slab.length - this.#filled) {
      this.#pieces.push(this.#slab.subarray(0, this.#filled))
      this.#slab = isShort ? new Uint8Array(slabBytes) : piece
      this.#filled = 0
    }
    if (isShort) this.#slab.set(piece, this.#filled)
    this.#filled += piece.length
  }

  /** A copy, with memory of its own: what is kept of it for long should not keep more. */
  whole(): Uint8Array {
    const bytes = new Uint8Array(this.#length)
    let at = 0
    for (const piece of [...this.#pieces, this.#slab.subarray(0, this.#filled)]) {
      bytes.set(piece, at)
      at += piece.length
    }
    return bytes
  }
}
