import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runCli } from '../main.fixture.ts'

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'))
const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url))

beforeAll(() => {
  writeFileSync(join(folder, 'code.txt'), '{{.Code}}: Olá\n')
  const config = 'id: a\n    http: { public_origin: "https://a.example" }'
  writeFileSync(
    join(folder, 'c.yaml'),
    `storage: { memory: true }
auth:
  config:
    ${config}
  keys: a test key that is certainly long enough
  pages: { name: Harbor Light }
  messages: { pt: { verification: { text: code.txt } } }
`,
  )
})
afterAll(() => rmSync(folder, { recursive: true }))

it('auth preview writes the pages, with the texts and the name of a configuration', async () => {
  const args = ['auth', 'preview', '--config', 'c.yaml', '--out', 'pages']
  const { exitCode, stdout, stderr } = await runCli(args, folder)
  expect([exitCode, stderr]).toEqual([0, ''])
  expect(stdout).toBe(`open ${join('pages', 'index.html')}\n`)
  expect(readdirSync(join(folder, 'pages'))).toContain('ar-new_sign_in-link.html')
  expect(readFileSync(join(folder, 'pages', 'pt.html'), 'utf8')).toContain('402918: Olá')
  expect(readFileSync(join(folder, 'pages', 'de.html'), 'utf8')).toContain('bei Harbor Light')
})

/** The answer to a request that names a host. */
const answerOf = (address: string, host: string) =>
  new Promise<{ status: number | undefined; policy: unknown }>((resolve, reject) => {
    const asking = request(address, { headers: { host } }, (answer) => {
      answer.resume()
      const { 'content-security-policy': policy } = answer.headers
      resolve({ status: answer.statusCode, policy })
    })
    asking.on('error', reject).end()
  })

it('auth preview serves the pages on this machine alone, until it is ended', async () => {
  const child = spawn(process.execPath, [main, 'auth', 'preview'], { cwd: folder })
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const url = await new Promise<string>((resolve) => {
    child.stdout.on('data', (chunk) => {
      const found = /http:\S+/.exec(String(chunk))?.[0]
      if (found !== undefined) resolve(found)
    })
  })
  expect(await answerOf(url, 'localhost')).toMatchObject({ status: 200 })
  const mail = await answerOf(`${url}ja-verification-code.html`, '127.0.0.1')
  expect([mail.status, mail.policy]).toEqual([200, expect.stringMatching(/sandbox$/)])
  expect((await answerOf(`${url}../package.json`, 'localhost')).status).toBe(404)
  expect((await answerOf(url, 'evil.example')).status).toBe(403)
  child.kill('SIGTERM')
  expect(await ended).toBe(0)
})
