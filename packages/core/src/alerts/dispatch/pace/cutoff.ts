import type { AbortSignalLike } from '../../../async/abort-signal.ts'

/** What ends something for everybody who takes part in it, however many they are. */
export interface Cutoff {
  readonly isCut: boolean
  /** The same, for those who ask for a signal. */
  readonly signal: AbortSignalLike
  /** Calls `cut` when it comes, at once if it has; the answer forgets it. */
  onCut(cut: () => void): () => void
}

/** A {@link Cutoff} with what makes it come. */
export interface CutoffControl extends Cutoff {
  cut(reason: DOMException): void
}

const nothing = (): void => {}

/**
 * A {@link Cutoff} that has not come. Unlike a signal of the platform it takes any number of listeners without a warning, and
 * keeps nothing of those who have gone.
 */
export const createCutoff = (): CutoffControl => new LightCutoff()

/** There is one for each flush: a class, since an object of functions is made anew with all of them. */
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
