import { lstat, readdir } from 'node:fs/promises'
import { basename, isAbsolute, join, sep } from 'node:path'
import type { AlertsOptions } from '@gatehouse/core'
import {
  type AlertsConfigPart,
  type AlertsConfigSource,
  checkTemplateFiles,
  loadAlertsConfig,
  type TemplateFile,
} from '@gatehouse/core/alerts'
import { compareBytes } from '@gatehouse/core/store'
import { fileProblem } from './config-file.ts'
import { type GlobPattern, parseGlobPattern } from './glob-pattern.ts'
import { createReadFiles, type ReadFiles } from './read-files.ts'

/**
 * A configuration with the template files that it names, all checked.
 *
 * @throws {GatehouseError} `InvalidConfig`; `TemplateSyntax`, with the name of the file and the line in its message.
 * @throws {Error} as {@link readTemplateFiles}.
 */
export async function withTemplateFiles(
  source: AlertsConfigSource,
  matcherMode: NonNullable<AlertsOptions['matcherMode']> = 'fallback',
  files?: ReadFiles,
): Promise<AlertsConfigSource> {
  const { text, ...place } = source
  const { templates, templatesOfParts } = loadAlertsConfig(text, { matcherMode, ...place })
  const templateFiles = await readTemplateFiles(templates, files)
  const parts: AlertsConfigPart[] = []
  for (const [index, part] of (place.parts ?? []).entries()) {
    const globs = templatesOfParts[index] ?? []
    parts.push({ ...part, templateFiles: await readTemplateFiles(globs, files) })
  }
  checkTemplateFiles([...templateFiles, ...parts.flatMap((part) => part.templateFiles ?? [])])
  if (parts.length === 0) return { ...source, templateFiles }
  // Again, because files of several parts may define templates with the same name.
  loadAlertsConfig(text, { matcherMode, ...place, templateFiles, parts })
  return { ...source, templateFiles, parts }
}

/**
 * Reads the files that match globs, in the order of the globs, and for each glob by name. A glob may match nothing.
 *
 * @throws {Error} if a glob is not valid, or a matching file cannot be read.
 * @see https://pkg.go.dev/path/filepath#Glob
 */
export async function readTemplateFiles(
  globs: readonly string[],
  files: ReadFiles = createReadFiles(),
): Promise<readonly TemplateFile[]> {
  const found: TemplateFile[] = []
  for (const glob of globs) {
    for (const path of await findFiles(glob)) {
      found.push({ name: basename(path), text: await readText(path, files) })
    }
  }
  return found
}

async function readText(path: string, files: ReadFiles): Promise<string> {
  try {
    return (await files.read(path)).toString('utf8')
  } catch (error) {
    throw new Error(`${path}: ${fileProblem(error)}`, { cause: error })
  }
}

/** The special characters of a glob. */
const special = /[*?[\\]/

/** Whether a path is a pattern for several files. */
export const isGlob = (path: string): boolean => special.test(path)

/**
 * The files that match a glob, by name. Part by part from the root: only a part with a pattern needs its folder listed.
 *
 * @throws {Error} if it is not valid.
 */
export async function findFiles(glob: string): Promise<readonly string[]> {
  if (glob === '') return []
  let found: readonly string[] = [isAbsolute(glob) ? sep : '.']
  for (const part of partsOf(glob)) {
    if (typeof part === 'string') {
      found = found.map((folder) => join(folder, part))
    } else {
      found = (await Promise.all(found.map((folder) => entriesOf(folder, part)))).flat()
    }
  }
  return existing(found)
}

function partsOf(glob: string): readonly (string | GlobPattern)[] {
  const parts = glob.split(sep).filter((part) => part !== '')
  try {
    return parts.map((part) => (special.test(part) ? parseGlobPattern(part) : part))
  } catch (error) {
    throw new Error(`${glob}: ${fileProblem(error)}`, { cause: error })
  }
}

async function entriesOf(folder: string, pattern: GlobPattern): Promise<readonly string[]> {
  try {
    const names = (await readdir(folder)).filter((name) => pattern.matches(name))
    return names.sort(compareBytes).map((name) => join(folder, name))
  } catch {
    return [] // a folder that cannot be listed has no matches
  }
}

async function existing(paths: readonly string[]): Promise<readonly string[]> {
  const stats = await Promise.allSettled(paths.map((path) => lstat(path)))
  return paths.filter((_, index) => stats[index]?.status === 'fulfilled')
}
