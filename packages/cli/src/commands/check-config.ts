import { type AlertsConfig, loadAlertsConfig } from '@gatehouse/core'
import { Command } from 'commander'
import { failureLines, readTextFile } from '../config-file.ts'
import { runCommand } from '../run-command.ts'

/** `gatehouse check-config`: checks files as `amtool check-config` does, and says where each problem is. */
export function checkConfigCommand(): Command {
  return new Command('check-config')
    .description('Check alertmanager.yml files, and print every problem as file:line:column.')
    .argument('<file...>', 'the files')
    .action((filenames: readonly string[]) => runCommand(() => checkConfigs(filenames)))
}

async function checkConfigs(filenames: readonly string[]): Promise<number> {
  let failed = 0
  for (const filename of filenames) {
    try {
      const { text, directory } = await readTextFile(filename)
      const config = loadAlertsConfig(text, { matcherMode: 'fallback', filename, directory })
      console.log([`Checking '${filename}'  SUCCESS`, ...contentsOf(config), ''].join('\n'))
    } catch (error) {
      failed++
      console.log([`Checking '${filename}'  FAILED:`, ...failureLines(error), ''].join('\n'))
    }
  }
  if (failed === 0) return 0
  console.error(`failed to validate ${failed} file(s)`)
  return 1
}

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
