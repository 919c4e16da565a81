/** Headers of the request that a server component, a server action or a route handler answers. */
export interface RequestHeaders {
  get(name: string): string | null
}

/** Cookies of the answer, which server actions and route handlers may set. */
export interface ResponseCookies {
  set(name: string, value: string, options: CookieOptions): unknown
}

/** Attributes of a cookie, as Next.js names them. */
export interface CookieOptions {
  readonly path: string
  readonly httpOnly: boolean
  readonly secure: boolean
  readonly sameSite: 'lax' | 'strict'
  /** In seconds. */
  readonly maxAge?: number
  readonly domain?: string
}

/** What Next.js knows of the request under way, without the request as an argument. */
export interface NextPlatform {
  headers(): Promise<RequestHeaders>
  cookies(): Promise<ResponseCookies>
  /** Ends the rendering, or the action, by an exception that Next.js turns into a redirect. */
  redirect(address: string): never
}
