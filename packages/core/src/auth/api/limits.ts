/** The limit on inputs in one request. */
export const maxInputs = 50

/** As long as any URL that servers accept. */
export const maxQueryLength = 16_384
