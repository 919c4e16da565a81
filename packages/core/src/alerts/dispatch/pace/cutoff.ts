import type { AbortSignalLike } from '../../../async/abort-signal.ts'

/** Ends something for all its participants, however many there are. */
export interface Cutoff {
  readonly isCut: boolean
  /** The same as an abort signal. */
  readonly signal: AbortSignalLike
  /** Calls `cut` when it occurs, or at once if it has; the returned function removes the listener. */
  onCut(cut: () => void): () => void
}

/** A {@link Cutoff} with the function that triggers it. */
export interface CutoffControl extends Cutoff {
  cut(reason: DOMException): void
}

const nothing = (): void => {}

/**
 * Creates a {@link Cutoff} that has not occurred. Unlike a platform signal it takes any number of listeners without a warning,
 * and holds no reference to removed ones.
 */
export const createCutoff = (): CutoffControl => new LightCutoff()

/** There is one for each flush. A class, because an object of functions would create all of them each time. */
class LightCutoff implements CutoffControl, AbortSignalLike {
  aborted = false
  reason: unknown = undefined
  #listeners: Set<() => void> | undefined = undefined

  get isCut(): boolean {
    return this.aborted
  }

  get signal(): AbortSignalLike {
    return this
  }

  onCut(cut: () => void): () => void {
    if (this.aborted) {
      cut()
      return nothing
    }
    this.addEventListener('abort', cut)
    return () => this.removeEventListener('abort', cut)
  }

  cut(reason: DOMException): void {
    if (this.aborted) return
    this.aborted = true
    this.reason = reason
    for (const cut of this.#listeners ?? []) cut()
  }

  throwIfAborted(): void {
    if (this.aborted) throw this.reason
  }

  addEventListener(_: 'abort', listener: () => void): void {
    this.#listeners ??= new Set()
    this.#listeners.add(listener)
  }

  removeEventListener(_: 'abort', listener: () => void): void {
    this.#listeners?.delete(listener)
  }
}
