import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { type AppChoice, appFiles, type Surroundings } from './app-files.ts'
import { type Arguments, completeChoice, parseArguments, UsageError, usage } from './arguments.ts'
import { askAll } from './ask.ts'
import { readStarter } from './starter.ts'

/** The process around the command. */
export interface Around extends Surroundings {
  readonly cwd: string
  /** The folder of the starter. */
  readonly starter: string
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean }
  readonly output: NodeJS.WritableStream & { readonly isTTY?: boolean }
  readonly errors: { write(text: string): unknown }
}

/**
 * Creates an app.
 *
 * @returns the exit code: 0 if it is there, 1 if its files cannot be written, 2 for wrong usage or a folder with files.
 */
export async function createApp(args: readonly string[], around: Around): Promise<0 | 1 | 2> {
  const { errors, output } = around
  try {
    const given = parseArguments(args)
    if (given.help || given.version) {
      output.write(given.help ? usage : `${around.version}\n`)
      return 0
    }
    const isTerminal = around.input.isTTY === true && around.output.isTTY === true
    const answered = isTerminal && !given.yes ? await askAll(given, around) : given
    const folder = resolve(around.cwd, folderOf(answered))
    refuseFiles(folder, around.cwd)
    const choice = completeChoice(answered, nameOf(folder))
    write(folder, appFiles(readStarter(around.starter), choice, around))
    output.write(nextSteps(relative(around.cwd, folder) || '.', choice))
    return 0
  } catch (error) {
    if (error instanceof UsageError) {
      errors.write(`create-gatehouse: ${error.message}\n`)
      return 2
    }
    if (!(error instanceof Error) || !('code' in error)) throw error
    errors.write(`create-gatehouse: ${error.message}\n`)
    return 1
  }
}

function folderOf({ folder }: Arguments): string {
  if (folder === undefined) {
    throw new UsageError('name a folder for the app, as in "npm create gatehouse my-app"')
  }
  return folder
}

/** The name of a package from its folder. */
function nameOf(folder: string): string {
  const name = basename(folder)
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[._-]+|-+$/g, '')
  return name === '' ? 'my-app' : name
}

/** Files of others are never overwritten. */
function refuseFiles(folder: string, cwd: string): void {
  if (!existsSync(folder)) return
  const shown = relative(cwd, folder) || 'this folder'
  if (!statSync(folder).isDirectory()) throw new UsageError(`${shown} is a file`)
  if (readdirSync(folder).some((name) => name !== '.git')) {
    throw new UsageError(`${shown} is not empty; name a new folder`)
  }
}

function write(folder: string, files: ReadonlyMap<string, string>): void {
  for (const [path, text] of files) {
    const file = join(folder, path)
    mkdirSync(dirname(file), { recursive: true })
    // The file with secrets is for its owner alone.
    writeFileSync(file, text, { flag: 'wx', mode: path === '.env' ? 0o600 : 0o666 })
  }
}

function nextSteps(folder: string, { framework, services }: AppChoice): string {
  const enter =
    folder === '.' ? '' : `  cd ${/^[\w./@-]+$/.test(folder) ? folder : `"${folder}"`}\n`
  return `Created an app with ${framework.title} and ${services.join(', ')} in ${folder}.

${enter}  npm install
  npm test
  npm run dev     # http://localhost:3000
`
}
