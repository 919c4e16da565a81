import { mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { writePrivateFiles } from './private-files.ts'

async function createFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'private-files-test-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

const modeOf = async (path: string): Promise<string> =>
  ((await stat(path)).mode & 0o777).toString(8)
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
const elsewhere = '/a/workdir/elsewhere'

it('writes files that nobody else can read, and removes them', async () => {
  const folder = await createFolder()
  const files = await writePrivateFiles(
    [
      { env: 'CERT', bytes: bytesOf('one') },
      { env: 'KEY', bytes: Uint8Array.from([0, 255]) },
    ],
    { workdir: elsewhere, folders: [folder] },
  )
  const { CERT = '', KEY = '' } = files.env
  expect(Object.keys(files.env)).toEqual(['CERT', 'KEY'])
  expect(await readFile(CERT, 'utf8')).toBe('one')
  expect([...(await readFile(KEY))]).toEqual([0, 255])
  expect([await modeOf(CERT), await modeOf(KEY), await modeOf(join(CERT, '..'))]).toEqual([
    '600',
    '600',
    '700',
  ])
  await files.remove()
  expect(await readdir(folder)).toEqual([])
  await files.remove()
})

it('uses the first usable folder outside of the working directory', async () => {
  const [workdir, outside] = [await createFolder(), await createFolder()]
  const inside = join(workdir, 'tmp')
  await mkdir(inside)
  const folders = [workdir, `${inside}/`, '/no/such/folder', outside]
  const files = await writePrivateFiles([{ env: 'A', bytes: bytesOf('') }], { workdir, folders })
  expect(files.env.A?.startsWith(`${outside}/`)).toBe(true)
  expect(await readdir(inside)).toEqual([])
  await files.remove()
})

it('distinguishes folders with a common prefix in their names', async () => {
  const folder = await createFolder()
  const files = await writePrivateFiles([{ env: 'A', bytes: bytesOf('') }], {
    workdir: folder.slice(0, -1),
    folders: [folder, '/no/such/folder'],
  })
  expect(files.env.A?.startsWith(`${folder}/`)).toBe(true)
  await files.remove()
})

it('fails without a writable folder, and leaves nothing behind', async () => {
  const folder = await createFolder()
  const options = { workdir: elsewhere, folders: ['/no/such/folder'] }
  await expect(writePrivateFiles([], options)).rejects.toThrow('ENOENT')
  const twoOfOne = [{ env: 'A', bytes: null as unknown as Uint8Array }]
  await expect(
    writePrivateFiles(twoOfOne, { workdir: elsewhere, folders: [folder] }),
  ).rejects.toThrow(TypeError)
  expect(await readdir(folder)).toEqual([])
})
