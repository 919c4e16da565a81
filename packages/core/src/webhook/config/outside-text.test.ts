import { describe, expect, it } from 'vitest'
import {
  problemsIn,
  readConfig,
  readWebhook,
  reference,
  settingProblems,
  withWebhook,
} from './config.fixture.ts'

const files: Readonly<Record<string, string>> = {
  '/srv/token.txt': 'token-out-of-a-file\n',
  '/etc/two-lines': 'one\r\ntwo\r\n\n',
  '/etc/empty': '\n',
  '/etc/nul': 'a\0b',
  '/run/creds/api': 'token-of-a-credential\r\n',
}
const ports = {
  environment: {
    TOKEN: 'token-out-of-a-variable',
    EMPTY: '',
    BLANK: '  ',
    NUL: 'a\0b',
    CREDENTIALS_DIRECTORY: '/run/creds',
  },
  readFile(path: string): string {
    const text = files[path]
    if (text === undefined) throw Object.assign(new Error('sup3rsecret'), { code: 'ENOENT' })
    return text
  },
}

function accepted(token: unknown): (received: string) => boolean {
  return (received) => readWebhook({ token }, ports).token.accepts(received)
}

/** Reads a webhook whose variable is set to this value, and returns the value. */
function variable(value: unknown): string | undefined {
  const set = readWebhook({ env: { X: value } }, ports).env.get('X')
  return set?.kind === 'text' ? set.value.reveal() : undefined
}

describe('a text with values from outside', () => {
  it('reads variables, files and credentials', () => {
    expect(accepted(reference('env', 'TOKEN'))('token-out-of-a-variable')).toBe(true)
    expect(accepted(reference('file', 'token.txt'))('token-out-of-a-file')).toBe(true)
    expect(accepted(reference('file', '/srv/token.txt'))('token-out-of-a-file')).toBe(true)
    expect(accepted(reference('cred', 'api'))('token-of-a-credential')).toBe(true)
    expect(variable(`a-${reference('env', 'TOKEN')}-${reference('file', 'token.txt')}.`)).toBe(
      'a-token-out-of-a-variable-token-out-of-a-file.',
    )
  })

  it('drops one line end of a file', () => {
    expect(variable(reference('file', '/etc/two-lines'))).toBe('one\r\ntwo\r\n')
  })

  it('is literal in every other form', () => {
    const literals = [
      '<TOKEN>',
      '$TOKEN',
      `\${TOKEN}`,
      `\${ENV:TOKEN}`,
      `\${ env:TOKEN}`,
      '$',
      '{}',
      '',
    ]
    for (const text of literals) expect(variable(text)).toBe(text)
    const token = reference('env', 'TOKEN')
    expect(variable(`$${token}`)).toBe(token)
    expect(variable(`$$${token}`)).toBe(`$${token}`)
    expect(variable(`$\${`)).toBe(`\${`)
    expect(variable(`$\${}$$$\${`)).toBe(`\${}$$\${`)
  })

  it('does not expand references in inserted values', () => {
    const environment = { A: reference('env', 'B'), B: 'never' }
    const set = readWebhook({ env: { X: reference('env', 'A') } }, { environment }).env.get('X')
    expect(set?.kind === 'text' && set.value.reveal()).toBe(reference('env', 'B'))
  })

  it('can be an object that names one', () => {
    expect(accepted({ env: 'TOKEN' })('token-out-of-a-variable')).toBe(true)
    expect(accepted({ file: 'token.txt' })('token-out-of-a-file')).toBe(true)
    expect(variable({ env: 'TOKEN' })).toBe('token-out-of-a-variable')
    const signature = { scheme: 'github', secrets: [{ file: 'token.txt' }, { env: 'TOKEN' }] }
    expect(
      readWebhook({ signature }, ports).signature?.secrets.map((secret) => secret.reveal()),
    ).toEqual(['token-out-of-a-file', 'token-out-of-a-variable'])
  })

  it('resolves the path of a file from the folder of the configuration', () => {
    const text = JSON.stringify(withWebhook({ env: { X: { file: 'two-lines' } } }))
    const config = readConfig({ text, directory: '/etc' }, ports)
    const set = config.webhooks[0]?.env.get('X')
    expect(set?.kind === 'text' && set.value.reveal()).toBe('one\r\ntwo\r\n')
  })

  it.each([
    [reference('env', 'NONE'), 'the variable "NONE" is not set'],
    [reference('env', 'EMPTY'), 'the variable "EMPTY" is empty'],
    [reference('env', 'toString'), 'the variable "toString" is not set'],
    [reference('env', '__proto__'), 'the variable "__proto__" is not set'],
    [reference('env', ''), 'the variable "" is not set'],
    [reference('file', '/etc/none'), 'the file "/etc/none" cannot be read (ENOENT)'],
    [reference('file', '/etc/empty'), 'the file "/etc/empty" is empty'],
    [reference('file', ''), 'a file needs a name'],
    [reference('cred', 'none'), 'the credential "none" cannot be read (ENOENT)'],
    [reference('cred', '../api'), 'the credential "../api" must be the name of a file'],
    [reference('cred', '..'), 'the credential ".." must be the name of a file'],
    [reference('cred', ''), 'the credential "" must be the name of a file'],
    [`\${env:TOKEN`, `\${env: is not closed with }`],
    [{ env: 'NONE' }, 'the variable "NONE" is not set'],
    [{ file: '/etc/none' }, 'the file "/etc/none" cannot be read (ENOENT)'],
  ])('is unresolved: %j', (token, message) => {
    const [problem, ...others] = problemsIn(withWebhook({ token }), ports)
    expect(problem).toMatchObject({ code: 'unresolved_reference', message })
    expect(others).toEqual([])
  })

  it('needs a credentials folder and a function that reads files', () => {
    const messages = (token: string): readonly string[] =>
      problemsIn(withWebhook({ token })).map(({ message }) => message)
    expect(messages(reference('cred', 'api'))).toEqual([
      'the credential "api" needs the variable CREDENTIALS_DIRECTORY',
    ])
    expect(messages(reference('file', 'token.txt'))).toEqual([
      'the file "token.txt" cannot be read: no files are read here',
    ])
  })

  it('reports each unresolved reference, and never the content of a file or variable', () => {
    const problems = problemsIn(
      withWebhook({
        token: `${reference('env', 'NONE')}${reference('file', '/none')}${reference('env', 'TOKEN')}`,
        tokens: [reference('env', 'BLANK'), reference('env', 'NUL'), reference('file', '/etc/nul')],
      }),
      ports,
    )
    expect(problems.map(({ path, code }) => `${path} ${code}`)).toEqual([
      'webhooks[0].token unresolved_reference',
      'webhooks[0].token unresolved_reference',
      'webhooks[0].tokens[0] empty',
      'webhooks[0].tokens[1] out_of_range',
      'webhooks[0].tokens[2] out_of_range',
    ])
    expect(JSON.stringify(problems)).not.toMatch(/sup3rsecret|token-out-of/)
  })

  it('is refused as an object of another shape', () => {
    expect(settingProblems({ token: {} }, ports)).toEqual(['token required'])
    expect(settingProblems({ token: { env: 'TOKEN', file: 'x' } }, ports)).toEqual([
      'token.file conflict',
    ])
    expect(settingProblems({ token: { cred: 'x' } }, ports)).toEqual([
      'token required',
      'token.cred unknown_key',
    ])
    expect(settingProblems({ token: { env: 5 } }, ports)).toEqual(['token.env wrong_type'])
    expect(settingProblems({ token: [] }, ports)).toEqual(['token wrong_type'])
  })

  it('is expanded only where allowed, and literal elsewhere', () => {
    const text = reference('env', 'TOKEN')
    expect(readWebhook({ execute_command: 'ls', id: text }, ports).id).toBe(text)
    const config = readConfig({ admin: { token: text } }, ports)
    expect(config.admin?.token.accepts('token-out-of-a-variable')).toBe(true)
  })

  it('withholds the variables it reads', () => {
    const { withheld } = readConfig(
      withWebhook({
        token: reference('env', 'TOKEN'),
        env: { A: { env: 'BLANK' }, B: `$${reference('env', 'EMPTY')}` },
      }),
      ports,
    )
    expect([...withheld]).toEqual(['TOKEN', 'BLANK'])
  })
})
