import { chmod, mkdir, mkdtemp, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkWorkdir, findProgram } from './program.ts'

let folder: string
const file = (...names: readonly string[]): string => join(folder, ...names)

async function write(name: string, content: string | Uint8Array, mode = 0o755): Promise<void> {
  await writeFile(file(name), content)
  await chmod(file(name), mode)
}

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'gatehouse-program-')))
  for (const name of ['bin', 'late', 'app', 'app/inner']) await mkdir(file(name))
  await write('bin/tool', '#!/bin/sh\n')
  await write('bin/only-here', '#!/bin/sh\n')
  await write('late/tool', '#!/bin/sh\n')
  await write('app/deploy.sh', '#!/bin/sh\n')
  await write('app/bare.sh', 'echo "no interpreter line"\n')
  await write('app/empty', '')
  await write('app/binary', new Uint8Array([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0]))
  await write('app/data', '#!/bin/sh\n', 0o644)
  await write('app/inner/tool', '#!/bin/sh\n')
  await symlink(file('app', 'inner'), file('bin', 'link'))
  await symlink(file('nowhere'), file('bin', 'dangling'))
})

afterAll(() => rm(folder, { recursive: true }))

describe('findProgram', () => {
  const inApp = (command: string): Promise<object> => findProgram(command, file('app'), file('bin'))

  it('resolves a command with a slash from the workdir', async () => {
    const program = file('app', 'deploy.sh')
    expect(await inApp('./deploy.sh')).toEqual({ program, prefix: [] })
    expect(await inApp(program)).toEqual({ program, prefix: [] })
    expect(await inApp('inner/tool')).toEqual({ program: file('app/inner/tool'), prefix: [] })
  })

  it('follows a link in the workdir as the system does', async () => {
    const found = await findProgram('../deploy.sh', file('bin', 'link'), undefined)
    expect(found).toEqual({ program: `${file('bin', 'link')}/../deploy.sh`, prefix: [] })
  })

  it('searches the folders of PATH in order, relative ones from the workdir', async () => {
    const path = [file('nowhere'), file('bin'), file('late')].join(':')
    expect(await findProgram('tool', '/', path)).toEqual({ program: file('bin/tool'), prefix: [] })
    const relative = { program: file('app/inner/tool'), prefix: [] }
    expect(await findProgram('tool', file('app'), 'inner:/bin')).toEqual(relative)
    expect(await findProgram('tool', file('app', 'inner'), `:${file('bin')}`)).toEqual(relative)
  })

  it('searches the usual folders without a PATH', async () => {
    for (const path of [undefined, '']) {
      expect(await findProgram('sh', '/', path)).toMatchObject({ prefix: [] })
    }
  })

  it('uses a shell for a script without an interpreter', async () => {
    for (const name of ['bare.sh', 'empty']) {
      const script = file('app', name)
      expect(await inApp(`./${name}`)).toEqual({ program: '/bin/sh', prefix: [script] })
    }
    expect(await inApp('./binary')).toEqual({ program: file('app/binary'), prefix: [] })
  })

  it.each([
    ['./none', 'the program was not found'],
    ['./deploy.sh/x', 'the program was not found'],
    ['./inner', 'the program is a folder'],
    ['./data', 'the program is not executable'],
    ['/dev/null', 'the program is not executable'],
    ['none', 'the program is not in PATH'],
    ['dangling', 'the program is not in PATH'],
    ['deploy.sh', 'the program is not in PATH, but in the workdir: write ./deploy.sh'],
    ['a\0b', 'the program is not in PATH'],
    ['./a\0b', 'the program was not found'],
  ])('reports why there is no %j, without a path', async (command, problem) => {
    expect(await inApp(command)).toEqual({ problem })
  })

  it('skips a file in PATH that is not executable', async () => {
    await write('app/inner/half', '#!/bin/sh\n', 0o644)
    await write('late/half', '#!/bin/sh\n')
    const path = `${file('app/inner')}:${file('late')}`
    expect(await findProgram('half', '/', path)).toEqual({ program: file('late/half'), prefix: [] })
    expect(await findProgram('half', '/', file('app/inner'))).toEqual({
      problem: 'the program is not executable',
    })
  })

  it('notices changes of a program it has found before', async () => {
    const path = `${file('late')}:${file('bin')}`
    const find = (): Promise<object> => findProgram('moving', '/', path)
    expect(await find()).toHaveProperty('problem')
    await write('bin/moving', 'echo bare\n')
    expect(await find()).toEqual({ program: '/bin/sh', prefix: [file('bin/moving')] })
    await write('bin/next', '#!/bin/sh\n')
    await rename(file('bin/next'), file('bin/moving'))
    expect(await find()).toEqual({ program: file('bin/moving'), prefix: [] })
    await rename(file('bin/moving'), file('late/moving'))
    expect(await find()).toEqual({ program: file('late/moving'), prefix: [] })
    await chmod(file('late/moving'), 0o644)
    expect(await find()).toEqual({ problem: 'the program is not executable' })
    await chmod(file('late/moving'), 0o755)
    expect(await find()).toEqual({ program: file('late/moving'), prefix: [] })
    await rm(file('late/moving'))
    expect(await find()).toEqual({ problem: 'the program is not in PATH' })
  })

  it('caches a limited number of programs', async () => {
    const path = file('bin')
    for (let index = 0; index < 1_100; index++) {
      await findProgram('tool', `/${index}`, path)
    }
    expect(await findProgram('tool', '/0', path)).toEqual({ program: file('bin/tool'), prefix: [] })
  })
})

describe('checkWorkdir', () => {
  it.each([
    ['app', undefined],
    ['bin/link', undefined],
    ['none', 'the workdir does not exist'],
    ['app/deploy.sh', 'the workdir is not a folder'],
    ['app/deploy.sh/x', 'the workdir is not a folder'],
    ['bin/dangling', 'the workdir does not exist'],
    ['a\0b', 'the workdir does not exist'],
  ])('reports for %j: %s', async (name, problem) => {
    expect(await checkWorkdir(file(name))).toBe(problem)
  })
})
