// The names that mails use, too. The build copies them, so that this package needs no other.
export { type KnownBrowser, knownBrowser } from '../../../core/src/auth/wire/known-browser.ts'
