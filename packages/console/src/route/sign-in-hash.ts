import { hashOf } from './route.ts'

/** The address of the sign-in that comes back to the present page. */
export function signInHash(): string {
  const isHome = ['', '#', '#/'].includes(location.hash)
  return hashOf(['sign-in'], isHome ? {} : { back: location.hash })
}
