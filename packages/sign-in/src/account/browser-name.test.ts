import { expect, it } from 'vitest'
import { browserOf } from './browser-name.ts'

it.each([
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/143.0 Safari/537.36 Edg/143.0',
    'Edge',
    'Windows',
    false,
  ],
  [
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 HeadlessChrome/143.0 Safari/537.36',
    'Chrome',
    'Linux',
    false,
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1 Version/18.0 Safari/604.1',
    'Safari',
    'iPhone',
    true,
  ],
  [
    'Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0',
    'Firefox',
    'Android',
    true,
  ],
  ['curl/8', undefined, undefined, false],
])('%s', (userAgent, browser, system, isPhone) => {
  expect(browserOf(userAgent)).toEqual({
    ...(browser === undefined ? {} : { browser }),
    ...(system === undefined ? {} : { system }),
    isPhone,
  })
})
