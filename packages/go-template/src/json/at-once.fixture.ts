/** Runs all steps of a generator, and returns its result. */
export function atOnce<T>(steps: Iterator<void, T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}
