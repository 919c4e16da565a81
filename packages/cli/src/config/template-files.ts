import { basename } from 'node:path'
import type { AlertsOptions } from '@gatehouse/core'
import {
  type AlertsConfigPart,
  type AlertsConfigSource,
  checkTemplateFiles,
  loadAlertsConfig,
  type TemplateFile,
} from '@gatehouse/core/alerts'
import { fileProblem } from './config-file.ts'
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
    for (const path of await files.find(glob)) {
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
