import MailComposer from 'nodemailer/lib/mail-composer/index.js'
import { describe, expect, it } from 'vitest'
import { encodeWords } from './encoded-word.ts'
import { mailHeader } from './mail-header.ts'
import { mailMessage } from './mail-message.ts'
import { quotedPrintable } from './quoted-printable.ts'

describe('encodeWords', () => {
  it.each([
    ['Jörg_1 = ?', '=?utf-8?q?J=C3=B6rg=5F1_=3D_=3F?='],
    ['a\r\nBcc: x', '=?utf-8?q?a=0D=0ABcc:_x?='],
    ['\ud800', '=?utf-8?q?=EF=BF=BD?='],
    ['', '=?utf-8?q??='],
  ])('encodes %j', (text, encoded) => {
    expect(encodeWords(text)).toBe(encoded)
  })

  it('creates words of at most 75 characters, split between characters of the text', () => {
    const words = encodeWords('€'.repeat(20)).split(' ')
    expect(words).toEqual([
      `=?utf-8?q?${'=E2=82=AC'.repeat(7)}?=`,
      `=?utf-8?q?${'=E2=82=AC'.repeat(7)}?=`,
      `=?utf-8?q?${'=E2=82=AC'.repeat(6)}?=`,
    ])
  })
})

describe('quotedPrintable', () => {
  it.each([
    ['plain = text', 'plain =3D text'],
    ['é\u0000', '=C3=A9=00'],
    ['one\ntwo\r\nthree\rfour', 'one\r\ntwo\r\nthree\r\nfour'],
    ['blank \ntab\t\nend ', 'blank=20\r\ntab=09\r\nend=20'],
    ['a b\tc', 'a b\tc'],
    ['x'.repeat(75), 'x'.repeat(75)],
    ['x'.repeat(76), `${'x'.repeat(75)}=\r\nx`],
    [`${'x'.repeat(73)}é`, `${'x'.repeat(73)}=\r\n=C3=A9`],
    ['', ''],
  ])('encodes %j', (text, encoded) => {
    expect(quotedPrintable(text)).toBe(encoded)
  })
})

describe('mailHeader', () => {
  it.each([
    ['Subject', '[FIRING:2] DiskFull (critical)', 'Subject: [FIRING:2] DiskFull (critical)\r\n'],
    ['Subject', 'Platte voll: /öl', 'Subject: =?utf-8?q?Platte_voll:_/=C3=B6l?=\r\n'],
    ['X-Any', 'a\r\nBcc: b@c', 'X-Any: =?utf-8?q?a=0D=0ABcc:_b@c?=\r\n'],
    ['From', 'Jörg <j@b>, "a" <c@d>', 'From: =?utf-8?q?J=C3=B6rg?= <j@b>, "a" <c@d>\r\n'],
    ['To', 'a@b,\r\n c@d', 'To: a@b, c@d\r\n'],
    ['To', 'a@b\r\nBcc: c@d', 'To: =?utf-8?q?a@b=0D=0ABcc:_c@d?=\r\n'],
    ['To', 'jörg@b', 'To: =?utf-8?q?j=C3=B6rg@b?=\r\n'],
  ])('writes %s: %j as one header', (name, value, header) => {
    expect(mailHeader(name, value)).toBe(header)
  })

  it.each([
    ['many words', 'word '.repeat(1_000).trim()],
    ['one long word', 'x'.repeat(5_000)],
    ['other letters', 'ö'.repeat(2_000)],
    ['many blanks', `a${' '.repeat(3_000)}b`],
  ])('folds %s into lines of at most 998 characters', (_, value) => {
    const lines = mailHeader('Subject', value).split('\r\n')
    expect(lines.pop()).toBe('')
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(998)
    for (const line of lines.slice(1)) expect(line).toMatch(/^[ \t][!-~]/)
    if (!lines.join('').includes('=?')) expect(lines.join('')).toBe(`Subject: ${value}`)
  })
})

describe('mailMessage', () => {
  const headers = [['Subject', 's']] as const
  const date = Date.UTC(2026, 10, 21, 1, 2, 3)

  it('writes its parts one after the other', () => {
    const parts = [
      { type: 'text/plain', text: 'plain' },
      { type: 'text/html', text: '<b>é</b>\n' },
    ] as const
    expect(mailMessage({ headers, date, parts, boundary: 'b' }).split('\r\n')).toEqual([
      'Subject: s',
      'Date: Sat, 21 Nov 2026 01:02:03 +0000',
      'Content-Type: multipart/alternative;  boundary=b',
      'MIME-Version: 1.0',
      '',
      '--b',
      'Content-Transfer-Encoding: quoted-printable',
      'Content-Type: text/plain; charset=UTF-8',
      '',
      'plain',
      '--b',
      'Content-Transfer-Encoding: quoted-printable',
      'Content-Type: text/html; charset=UTF-8',
      '',
      '<b>=C3=A9</b>',
      '',
      '--b--',
      '',
    ])
  })

  it('may have no parts', () => {
    expect(mailMessage({ headers: [], date, parts: [], boundary: 'b' })).toMatch(
      /\r\nMIME-Version: 1\.0\r\n\r\n--b--\r\n$/,
    )
  })

  // Alertmanager always sends several formats, in its own spelling. If nothing differed, the composer of nodemailer would do.
  it('has the bytes of Alertmanager, which are not those of the composer of nodemailer', async () => {
    const subject = 'Platte voll: /öl'
    const text = 'one\ntwo é'
    const ours = mailMessage({
      headers: [['Subject', subject]],
      date,
      parts: [{ type: 'text/plain', text }],
      boundary: 'b',
    })
    const composer = new MailComposer({ subject, text, date: new Date(date), newline: '\r\n' })
    const theirs = (await composer.compile().build()).toString()
    expect(theirs).not.toContain('multipart/alternative')
    expect(ours).toContain('Content-Type: multipart/alternative;  boundary=b\r\n')
    expect(theirs).toContain('Subject: =?UTF-8?Q?Platte_voll=3A_/=C3=B6l?=\r\n')
    expect(ours).toContain('Subject: =?utf-8?q?Platte_voll:_/=C3=B6l?=\r\n')
    expect(theirs).toContain('Content-Type: text/plain; charset=utf-8\r\n')
    expect(ours).toContain('Content-Type: text/plain; charset=UTF-8\r\n')
  })

  it('keeps a line end in a header visible, which the composer of nodemailer drops', async () => {
    const value = 'a\r\nBcc: x'
    const headers = { 'X-Any': value }
    const theirs = (await new MailComposer({ headers, text: 'x' }).compile().build()).toString()
    expect(theirs).toContain('X-Any: a Bcc: x\r\n')
    expect(mailMessage({ headers: [['X-Any', value]], date, parts: [], boundary: 'b' })).toContain(
      'X-Any: =?utf-8?q?a=0D=0ABcc:_x?=\r\n',
    )
  })
})
