import { expect, it } from 'vitest'
import { browserName } from './browser-name.ts'

const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)'
const chrome = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

it.each([
  [`${windows.replace(')', '; rv:140.0)')} Gecko/20100101 Firefox/140.0`, 'Firefox on Windows'],
  [`${windows} ${chrome}`, 'Chrome on Windows'],
  [`${windows} ${chrome} Edg/140.0.0.0`, 'Edge on Windows'],
  [`${windows} ${chrome} OPR/120.0.0.0`, 'Opera on Windows'],
  [`Mozilla/5.0 (Linux; Android 10; K) ${chrome}`, 'Chrome on Android'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
    'Safari on iPhone',
  ],
  [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${chrome}`, 'Chrome on ChromeOS'],
  ['Mozilla/5.0 (X11; Linux x86_64)', 'Linux'],
  ['curl/8.5.0', 'curl/8.5.0'],
  ['x'.repeat(500), 'x'.repeat(60)],
  [' ', 'an unknown browser'],
  [null, 'an unknown browser'],
])('%j is shown as %j', (userAgent, name) => {
  expect(browserName(userAgent)).toBe(name)
})
