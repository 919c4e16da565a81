import {
  type AlertsConfig,
  alertsConfigWarnings,
  checkTemplateFiles,
  loadAlertsConfig,
} from '@gatehouse/core/alerts'
import { Command } from 'commander'
import { readAlertsConfigFile } from '../config/alerts-config-file.ts'
import { badNews } from '../config/exit-codes.ts'
import { failureLines } from '../config/failure.ts'
import { readTemplateFiles } from '../config/template-files.ts'
import { paint, paintError } from '../log/color.ts'
import { runCommand } from '../run-command.ts'

/** `gatehouse check-config`: checks files as `amtool check-config` does, and prints the place of each problem. */
export function checkConfigCommand(): Command {
  const command = new Command('check-config')
    .description(
      'Check alertmanager.yml files and the templates they name, and print every problem as file:line:column.',
    )
    .argument('<file...>', 'the files')
    .option('--json', 'print the results as JSON (Gatehouse only)')
  return command.action((filenames: readonly string[]) =>
    runCommand(() => checkConfigs(filenames, command.opts<{ json?: boolean }>()), badNews),
  )
}

async function checkConfigs(
  filenames: readonly string[],
  { json }: { json?: boolean },
): Promise<number> {
  let failed = 0
  const files: object[] = []
  for (const filename of filenames) {
    const { lines, isGood, problems = [] } = await checkFile(filename)
    if (json) files.push({ file: filename, good: isGood, problems })
    else console.log([...lines, ''].join('\n'))
    if (!isGood) failed++
  }
  if (json) console.log(JSON.stringify({ good: failed === 0, files }))
  if (failed === 0) return 0
  if (json) return badNews
  console.error(`failed to validate ${failed} file(s)`)
  return badNews
}

interface Checked {
  readonly lines: readonly string[]
  readonly isGood: boolean
  readonly problems?: readonly string[]
}

async function checkFile(filename: string): Promise<Checked> {
  let config: AlertsConfig
  try {
    const source = await readAlertsConfigFile(filename)
    const { text, ...options } = source
    config = loadAlertsConfig(text, options)
    for (const warning of alertsConfigWarnings(source)) {
      console.error(`${paintError('warning', 'warning:')} ${warning}`)
    }
  } catch (error) {
    const problems = failureLines(error)
    return { lines: [`Checking '${filename}'  ${failed()}:`, ...problems], isGood: false, problems }
  }
  const { lines, ...result } = await checkTemplates(config.templates)
  return {
    lines: [`Checking '${filename}'  ${success()}`, ...contentsOf(config), ...lines],
    ...result,
  }
}

/** Prints nothing for a configuration without templates. */
async function checkTemplates(globs: readonly string[]): Promise<Checked> {
  if (globs.length === 0) return { lines: [], isGood: true }
  try {
    checkTemplateFiles(await readTemplateFiles(globs))
    return { lines: [`  ${success()}`], isGood: true }
  } catch (error) {
    const problems = failureLines(error)
    return { lines: problems.map((line) => `  ${failed()}: ${line}`), isGood: false, problems }
  }
}

const success = (): string => paint('good', 'SUCCESS')
const failed = (): string => paint('bad', 'FAILED')

function contentsOf({ inhibit_rules, receivers, templates }: AlertsConfig): readonly string[] {
  return [
    'Found:',
    ' - global config',
    ' - route',
    ` - ${inhibit_rules.length} inhibit rules`,
    ` - ${receivers.length} receivers`,
    ` - ${templates.length} templates`,
  ]
}
