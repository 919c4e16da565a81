/** The levels of assurance that a client may ask for by `acr_values`. */
export const assuranceLevels = ['aal1', 'aal2'] as const

/**
 * Whether a level is one of those that were asked for, or above. Values that are not ours are ignored, as they must be.
 *
 * @see OpenID Connect Core, section 3.1.2.1
 */
export function fulfilsLevels(asked: string, acr: string | undefined): boolean {
  const known = asked.split(' ').filter((value) => assuranceLevels.some((level) => level === value))
  return known.length === 0 || known.some((value) => value <= (acr ?? ''))
}
