import { describe, expect, it } from 'vitest'
import {
  type AttributeFormat,
  birthdate,
  countryCode,
  languageTag,
  timezone,
  webAddress,
} from './attribute-formats.ts'

const cases: readonly (readonly [AttributeFormat, matching: string[], others: string[]])[] = [
  [
    webAddress,
    [
      'https://maya.example',
      'http://maya.example/a?b#c',
      'HTTPS://MAYA.example',
      'http://[::1]:80/',
    ],
    ['', 'maya.example', '//maya.example', 'https:', 'https://', 'https:///a', 'https:maya.example']
      .concat([
        'javascript:alert(1)',
        'data:text/html,x',
        'ftp://maya.example',
        ' https://maya.example',
      ])
      .concat(['https://a b', 'https://maya.example:99999', 'mailto:maya@x.io']),
  ],
  [
    birthdate,
    ['1990-05-17', '2000-02-29', '0000-02-29', '--02-29', '--12-31', '1990', '0000-01-01', '0000'],
    [
      '',
      '90',
      '1990-5-17',
      '1990-13-01',
      '1990-00-01',
      '1990-01-00',
      '1990-04-31',
      '1900-02-29',
      '2001-02-29',
    ].concat([
      '-02-29',
      '---02-29',
      '--2-29',
      '1990-05',
      '1990-05-17T00:00',
      '1990-05-17\n',
      '١٩٩٠',
      '-1990',
    ]),
  ],
  [
    timezone,
    ['Asia/Singapore', 'America/Argentina/Buenos_Aires', 'Etc/GMT+8', 'America/Port-au-Prince'],
    [
      '',
      'UTC',
      'Asia',
      'Asia/',
      '/Singapore',
      'Asia/Atlantis',
      '+08:00',
      'Asia/Singapore\n',
      '../etc/passwd',
    ],
  ],
  [
    languageTag,
    ['en', 'en-GB', 'zh-Hant-TW', 'sr-Latn-RS', 'de-CH-1996', 'EN-us'],
    ['', 'e', 'english-language-of-england', 'en_GB', 'en-', '-en', 'en-GB-GB-GB', 'x'.repeat(1e6)],
  ],
  [countryCode, ['SG', 'GB', 'AQ'], ['', 'sg', 'SGP', 'XX', 'UK', 'EU', '65']],
]

describe.each(cases)('$name', (format, matching, others) => {
  it('accepts valid values and no others', () => {
    expect(matching.filter((text) => !format.matches(text))).toEqual([])
    expect(others.filter((text) => format.matches(text))).toEqual([])
  })
})
