import type { SetCookie } from '../auth/sessions/cookies.ts'

/** The `Cookie` header of a browser that got these cookies. */
export const cookieHeader = (cookies: readonly SetCookie[]): string =>
  cookies
    .filter(({ maxAge }) => maxAge !== 0)
    .map(({ name, value }) => `${name}=${value}`)
    .join('; ')
