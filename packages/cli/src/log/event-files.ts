import { appendFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import type { EventRecorderOptions } from '@gatehouse/core/alerts'

/**
 * Where the event recorder writes. A file is opened for each write, so that one that was moved away, as by logrotate, is made
 * again. Others cannot read it: labels of alerts may be confidential.
 */
export const eventFiles: EventRecorderOptions = {
  instance: hostname(),
  appendFile: (path, text) => appendFile(path, text, { mode: 0o640 }),
  print: (text) =>
    new Promise((resolve, reject) => {
      process.stdout.write(text, (error) => (error ? reject(error) : resolve()))
    }),
}
