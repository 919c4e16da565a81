/** Limits on the cost of templates. Parsing and running any template stays within them. */
export interface TemplateLimits {
  /** The longest text of a template, in UTF-16 units (default 1,048,576). */
  readonly maxSource: number
  /** The greatest nesting of control structures and parentheses in a template's text (default 200). */
  readonly maxNesting: number
  /**
   * The greatest nesting of template calls at run time, including their control structures (default 400). Each level uses stack.
   */
  readonly maxDepth: number
  /** The most work in one run; an action is about one step (default 5,000,000, which takes a second or two). */
  readonly maxSteps: number
  /** The longest output of a run, and the longest text in it, in UTF-16 units (default 8,388,608). */
  readonly maxOutput: number
}

/** The default limits. */
export const defaultLimits: TemplateLimits = {
  maxSource: 1_048_576,
  maxNesting: 200,
  maxDepth: 400,
  maxSteps: 5_000_000,
  maxOutput: 8_388_608,
}

/**
 * The given limits, and the defaults of the others.
 *
 * @throws {RangeError} if a limit is not a number of at least 0.
 */
export function limitsFrom(given: Partial<TemplateLimits> = {}): TemplateLimits {
  const limits = Object.entries(defaultLimits).map(([name, usual]) => {
    const limit = given[name as keyof TemplateLimits] ?? usual
    if (typeof limit === 'number' && limit >= 0) return [name, limit] as const
    throw new RangeError(`limits.${name}: expected a number of at least 0, got ${String(limit)}`)
  })
  return { ...defaultLimits, ...Object.fromEntries(limits) }
}
