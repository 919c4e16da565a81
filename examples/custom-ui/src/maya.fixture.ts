/** The user of the tests. */
export const email = 'maya@example.com'
export const password = 'tidal-lantern-42'
