import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { importAlertmanager } from './import-alertmanager.ts'

it('a data folder of Alertmanager that cannot be read is named with the reason', async () => {
  const file = fileURLToPath(import.meta.url)
  await expect(importAlertmanager(`${file}-nowhere`, {})).rejects.toThrow(
    `${file}-nowhere: no such file or directory`,
  )
  await expect(importAlertmanager(file, {})).rejects.toThrow(`${file}: is not a directory`)
})
