import { readFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import type { AlertsOptions } from '@gatehouse/core'
import { awsCredentialsFrom } from './aws-credentials.ts'
import { versionInfo } from './version.ts'

/** What the alert service has of the machine it runs on, and what it calls itself. */
export const thisMachine: Pick<
  AlertsOptions,
  'readFile' | 'environment' | 'hostname' | 'awsCredentials' | 'versionInfo'
> = {
  readFile: (path) => readFile(path, 'utf8'),
  environment: process.env,
  hostname: hostname(),
  awsCredentials: awsCredentialsFrom(process.env),
  versionInfo,
}
