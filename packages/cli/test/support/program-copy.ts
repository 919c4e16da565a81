import { existsSync } from 'node:fs'
import { cp, mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const packageFolder = fileURLToPath(new URL('../../', import.meta.url))
const rootModules = fileURLToPath(new URL('../../../../node_modules', import.meta.url))

/** A copy of the built program in another folder. */
export interface ProgramCopy {
  /** Its file. */
  readonly main: string
  /** The folder of its file. */
  readonly folder: string
}

/**
 * Copies the built program, so that files can be put beside it.
 *
 * @param folder an empty folder, which is filled.
 * @throws {Error} if packages/cli is not built.
 */
export async function copyProgram(folder: string): Promise<ProgramCopy> {
  const built = join(packageFolder, 'dist')
  if (!existsSync(join(built, 'main.js'))) throw new Error('npm test builds packages/cli first')
  const program = join(folder, 'program')
  await mkdir(program)
  await cp(built, join(program, 'dist'), { recursive: true })
  await cp(join(packageFolder, 'package.json'), join(program, 'package.json'))
  // Its imports resolve as from its original place: beside the package, then at the root.
  const ownModules = join(packageFolder, 'node_modules')
  if (existsSync(ownModules)) await symlink(ownModules, join(program, 'node_modules'))
  await symlink(rootModules, join(folder, 'node_modules'))
  return { main: join(program, 'dist', 'main.js'), folder: join(program, 'dist') }
}
