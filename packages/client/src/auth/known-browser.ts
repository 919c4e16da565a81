// The names that mails use, too. The build copies them, as it does with `operations.ts`.
export { type KnownBrowser, knownBrowser } from '../../../core/src/auth/wire/known-browser.ts'
