/** Whom tests sign up and in. */
export const email = 'maya@example.com'
export const password = 'tidal-lantern-42'
