import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCli, serveCli } from '../src/main.fixture.ts'

const dockerfile = readFileSync(new URL('../../../Dockerfile', import.meta.url), 'utf8')
const [, image = ''] = dockerfile.split(/^FROM .*-slim$/m)

/** The words of an instruction of the image. */
function wordsOf(instruction: string): readonly string[] {
  const [, words = '[]'] = new RegExp(`^${instruction}[^[\\n]*(\\[.*\\])$`, 'm').exec(image) ?? []
  return JSON.parse(words)
}

let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-docker-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

describe('the image of the Dockerfile', () => {
  it('runs a command that exists, as a user without rights', async () => {
    expect(image).toMatch(/^USER node$/m)
    expect(wordsOf('ENTRYPOINT')).toEqual(['gatehouse'])
    const { exitCode, stderr } = await runCli(
      wordsOf('CMD').map((word) => word.replace('/etc/gatehouse/', '/nowhere/')),
      folder,
    )
    expect([exitCode, stderr]).toEqual([2, '/nowhere/config.yaml: no such file or directory\n'])
  })

  it('is healthy while the server answers', async () => {
    const [, url = ''] = /^ENV HEALTH_URL=(.*)$/m.exec(image) ?? []
    const [program = '', ...args] = wordsOf('HEALTHCHECK')
    const codeAt = (origin: string): number | null => {
      const env = { ...process.env, HEALTH_URL: new URL(new URL(url).pathname, origin).href }
      return spawnSync(program, args, { env }).status
    }
    writeFileSync(
      join(folder, 'config.yaml'),
      'storage: { memory: true }\nalerts: { config: { route: { receiver: a }, receivers: [{ name: a }] } }\n',
    )
    const server = await serveCli(
      ['api', '--config', 'config.yaml', '--listen', '127.0.0.1:0'],
      folder,
    )
    expect(codeAt(server.url)).toBe(0)
    server.signal('SIGTERM')
    await server.ended
    expect(codeAt(server.url)).toBe(1)
  })
})
