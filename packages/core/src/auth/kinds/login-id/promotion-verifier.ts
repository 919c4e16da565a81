/**
 * Returns the id of the anonymous user that signed a login hint, so that an app without cookies can promote that user;
 * `undefined` for any other hint. The port must check that a hint is fresh and used only once.
 */
export type PromotionVerifier = (loginHint: string) => Promise<string | undefined>
