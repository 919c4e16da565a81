import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkCommands } from './check-commands.ts'
import { readConfig, reference, withWebhook } from './config/config.fixture.ts'

let folder: string

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'gatehouse-check-')))
  await mkdir(join(folder, 'bin'))
  for (const [name, content] of [
    ['bin/tool', '#!/bin/sh\n'],
    ['bare.sh', 'echo\n'],
  ] as const) {
    await writeFile(join(folder, name), content)
    await chmod(join(folder, name), 0o755)
  }
})

afterAll(() => rm(folder, { recursive: true }))

async function check(
  settings: object,
  environment: Readonly<Record<string, string>> = {},
): Promise<readonly string[]> {
  const config = readConfig(withWebhook(settings), { environment })
  const problems = await checkCommands(config, { environment, workdir: folder })
  return problems.map(({ path, code, message }) => `${path} ${code}: ${message}`)
}

describe('checkCommands', () => {
  it('reports no problem if the program and the workdir exist', async () => {
    expect(await check({ execute_command: './bin/tool --yes' })).toEqual([])
    expect(await check({ execute_command: 'cd app && ls', workdir: '/' })).toEqual([])
    expect(await check({ execute_command: 'tool' }, { PATH: join(folder, 'bin') })).toEqual([])
  })

  it('reports a missing workdir, and nothing about programs in it', async () => {
    expect(await check({ execute_command: './none', workdir: '/no/such/folder' })).toEqual([
      'webhooks[0].workdir workdir_not_found: the workdir does not exist',
    ])
  })

  it('reports a missing program', async () => {
    expect(await check({ execute_command: './none' })).toEqual([
      'webhooks[0].execute_command program_not_found: the program was not found',
    ])
    expect(await check({ execute_command: 'bare.sh' })).toEqual([
      'webhooks[0].execute_command program_not_found: the program is not in PATH, but in the workdir: write ./bare.sh',
    ])
    expect(await check({ shell: '/no/such/shell' })).toEqual([
      'webhooks[0].execute_command program_not_found: the program was not found',
    ])
  })

  it('reports a script without an interpreter', async () => {
    expect(await check({ execute_command: './bare.sh' })).toEqual([
      'webhooks[0].execute_command no_interpreter: the script has no #! line, so /bin/sh runs it',
    ])
  })

  it('searches the PATH the command will get', async () => {
    const problem = 'webhooks[0].execute_command program_not_found: the program is not in PATH'
    const bin = join(folder, 'bin')
    expect(await check({ execute_command: 'tool', env: { PATH: bin } })).toEqual([])
    expect(await check({ execute_command: 'tool', env: { PATH: '/bin' } }, { PATH: bin })).toEqual([
      problem,
    ])
    const withheld = { execute_command: 'tool', token: reference('env', 'PATH') }
    expect(await check(withheld, { PATH: bin })).toEqual([problem])
  })

  it('skips disabled webhooks, and reports the position of the others in the text', async () => {
    const text = `webhooks:
  - {id: off, token: t, execute_command: ./none, workdir: "", enabled: false}
  - {id: on, token: t, execute_command: ./none, workdir: ""}
`
    expect(await checkCommands(readConfig(text), { environment: {}, workdir: folder })).toEqual([
      {
        path: 'webhooks[1].execute_command',
        code: 'program_not_found',
        message: 'the program was not found',
        line: 3,
        column: 41,
      },
    ])
  })
})
