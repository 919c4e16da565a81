import { hashOf } from '../route/route.ts'
import { hasServerPasswords, signInPage } from './services.ts'

/** Where to sign in and come back to the present page: the sign-in page, or a choice if there is another way. */
export function signInAddress(): string {
  if (signInPage !== undefined && !hasServerPasswords) return signInPageAddress(location.hash)
  const isHome = ['', '#', '#/'].includes(location.hash)
  return hashOf(['sign-in'], isHome ? {} : { back: location.hash })
}

/**
 * The address of the sign-in page that leads back to a place of the console.
 *
 * @param hash the place; all others than places of the console are its first page.
 */
export function signInPageAddress(hash = ''): string {
  const url = new URL(signInPage ?? '', new URL('.', location.href))
  const { pathname, search } = location
  url.searchParams.set('return_to', `${pathname}${search}${hash.startsWith('#/') ? hash : ''}`)
  return url.href
}
