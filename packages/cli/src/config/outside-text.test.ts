import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ConfigProblem } from '@gatehouse/core/config'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isLiteral, type Outside, outsideText } from './outside-text.ts'
import { createReadFiles } from './read-files.ts'

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'))
beforeAll(() => {
  writeFileSync(join(folder, 'secret'), 'from a file\r\n')
  writeFileSync(join(folder, 'empty'), '\n')
})
afterAll(() => rmSync(folder, { recursive: true }))

const placed = (written: string) => ({ written, path: 'a.b', line: 3, column: 5 })

function read(
  written: string,
  environment: Outside['environment'] = { NAME: 'value', BLANK: '', CREDENTIALS_DIRECTORY: folder },
): { value: string | undefined; problems: readonly string[] } {
  const problems: string[] = []
  const value = outsideText(
    {
      environment,
      files: createReadFiles(),
      directory: folder,
      report: ({ path, line, column, message }: ConfigProblem) =>
        void problems.push(`${line}:${column} ${path}: ${message}`),
    },
    placed(written),
  )
  return { value, problems }
}

describe('outsideText()', () => {
  it.each([
    ['plain', 'plain'],
    [`\${env:NAME}`, 'value'],
    [`a-\${env:NAME}-\${file:secret}`, 'a-value-from a file'],
    [`\${cred:secret}`, 'from a file'],
    [`$\${env:NAME} $5 \${NAME}`, `\${env:NAME} $5 \${NAME}`],
  ])('of %j is %j', (written, value) => {
    expect(read(written)).toEqual({ value, problems: [] })
  })

  it.each([
    [`\${env:NONE}`, 'the variable "NONE" is not set'],
    [`\${env:toString}`, 'the variable "toString" is not set'],
    [`\${env:BLANK}`, 'the variable "BLANK" is empty'],
    [`\${file:none}`, 'none: no such file or directory'],
    [`\${file:empty}`, 'empty is empty'],
    [`\${cred:../secret}`, 'the credential "../secret" is no name of a file'],
    [`\${env:NAME`, `\${env: is not closed with }`],
  ])('of %j says what is not there', (written, message) => {
    expect(read(written)).toEqual({ value: undefined, problems: [`3:5 a.b: ${message}`] })
  })

  it('has no credentials without their folder', () => {
    expect(read(`\${cred:secret}`, {}).problems).toEqual([
      '3:5 a.b: the credential "secret" needs the variable CREDENTIALS_DIRECTORY',
    ])
  })
})

it('a text is literal if nothing of it is from outside', () => {
  expect(isLiteral(placed('plain'))).toBe(true)
  expect(isLiteral(placed(`$\${env:NAME}`))).toBe(true)
  expect(isLiteral(placed(`a\${file:b}`))).toBe(false)
})
