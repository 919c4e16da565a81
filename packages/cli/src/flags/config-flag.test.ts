import { Command } from 'commander'
import { expect, it } from 'vitest'
import { withOwnConfigFlag } from './config-flag.ts'

const program = new Command('gatehouse')
program.addCommand(new Command('api').option('--config <file>'))
program.addCommand(new Command('alertmanager').option('--config.file <file>'))
program.addCommand(new Command('hash').argument('<text>'))
program.addCommand(
  new Command('receiver').addCommand(new Command('test').option('--config-file <file>')),
)

it.each([
  [
    ['api', '--config.file', 'a.yml'],
    ['api', '--config', 'a.yml'],
  ],
  [
    ['api', '--config-file=a=b.yml'],
    ['api', '--config=a=b.yml'],
  ],
  [
    ['alertmanager', '--config=a.yml'],
    ['alertmanager', '--config.file=a.yml'],
  ],
  [
    ['receiver', 'test', '--config', 'a.yml'],
    ['receiver', 'test', '--config-file', 'a.yml'],
  ],
  [
    ['api', '--', '--config.file'],
    ['api', '--', '--config.file'],
  ],
  [
    ['hash', '--config'],
    ['hash', '--config'],
  ],
])('%j is read as %j', (args, read) => {
  expect(withOwnConfigFlag(args, program)).toEqual(read)
})
