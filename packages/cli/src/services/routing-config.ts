import type { AlertsConfigSource, MatcherMode } from '@gatehouse/core/alerts'
import { decodeDocument, nodeAt, parseDocument } from '@gatehouse/core/document'
import { readTextFile } from '../config/config-file.ts'
import type { ReadFiles } from '../config/read-files.ts'
import { withTemplateFiles } from '../config/template-files.ts'
import { alertsSection, readAlertsSource } from './alerts-section.ts'

/** A configuration for commands that only look at its routes. */
export interface RoutingConfig {
  readonly source: AlertsConfigSource
  readonly matcherMode: MatcherMode
}

/**
 * Reads an `alertmanager.yml`, or the section `alerts` of a file of `gatehouse api` with its parts. References are not resolved:
 * routes need no secrets.
 *
 * @throws {GatehouseError} `InvalidConfig`, `TemplateSyntax`
 * @throws {Error} if a file cannot be read.
 */
export async function readRoutingConfig(
  filename: string,
  files: ReadFiles,
): Promise<RoutingConfig> {
  const file = await readTextFile(filename, files)
  // Only a file of `gatehouse api` has this key.
  const isOwn = /^\s*["']?alerts["']?\s*:/m.test(file.text)
  const root = isOwn ? parseDocument(file) : undefined
  const node = root && nodeAt(root, 'alerts')
  if (root === undefined || node === undefined) return finish(file, 'fallback', files)
  const { value } = decodeDocument(node, alertsSection, { filename })
  const source = await readAlertsSource(nodeAt(node, 'config'), file, files, value.config_parts)
  return finish(source, value.matcher_mode, files)
}

async function finish(
  source: AlertsConfigSource,
  matcherMode: MatcherMode,
  files: ReadFiles,
): Promise<RoutingConfig> {
  const unresolved: AlertsConfigSource = { ...source, references: 'unresolved' }
  return { source: await withTemplateFiles(unresolved, matcherMode, files), matcherMode }
}
