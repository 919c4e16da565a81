import { describeCommandRunner } from '../../../conformance/command-runner.ts'
import { createSpawnRunner } from './spawn-command.ts'

describeCommandRunner('of processes', createSpawnRunner)
