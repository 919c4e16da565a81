/** How much templates may cost. Whatever a template holds, reading and running it ends within these. */
export interface TemplateLimits {
  /** The longest text of a template, in UTF-16 units (default 1,048,576). */
  readonly maxSource: number
  /** How deep control structures and parentheses may be nested in a template's text (default 200). */
  readonly maxNesting: number
  /** How deep template calls may be nested when they run, with what is nested in them (default 400). Each level takes stack. */
  readonly maxDepth: number
  /** How much work one run may do; an action is about one step (default 5,000,000, which takes a second or two). */
  readonly maxSteps: number
  /** The longest output of a run, and the longest text within it, in UTF-16 units (default 8,388,608). */
  readonly maxOutput: number
}

/** The limits where nothing else is asked for. */
export const defaultLimits: TemplateLimits = {
  maxSource: 1_048_576,
  maxNesting: 200,
  maxDepth: 400,
  maxSteps: 5_000_000,
  maxOutput: 8_388_608,
}
