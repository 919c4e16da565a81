/** What ends something for everybody who takes part in it, however many they are. */
export interface Cutoff {
  readonly isCut: boolean
  /** The same, for those who ask for a signal. */
  readonly signal: AbortSignal
  /** Calls `cut` when it comes, at once if it has; the answer forgets it. */
  onCut(cut: () => void): () => void
}

/** A {@link Cutoff} with what makes it come. */
export interface CutoffControl extends Cutoff {
  cut(reason: DOMException): void
}

const nothing = (): void => {}

/**
 * A {@link Cutoff} that has not come. Unlike a signal it takes any number of listeners without a warning, and keeps nothing
 * of those who have gone.
 */
export function createCutoff(): CutoffControl {
  const controller = new AbortController()
  const { signal } = controller
  // There is one for each flush, and few of them have a listener.
  let listeners: Set<() => void> | undefined
  return {
    signal,

    get isCut() {
      return signal.aborted
    },

    onCut(cut) {
      if (signal.aborted) {
        cut()
        return nothing
      }
      listeners ??= new Set()
      listeners.add(cut)
      return () => listeners?.delete(cut)
    },

    cut(reason) {
      if (signal.aborted) return
      controller.abort(reason)
      for (const cut of listeners ?? []) cut()
    },
  }
}
