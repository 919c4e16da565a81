import type { AlertsConfigSource } from '@gatehouse/core/alerts'

/** What is shown in place of a secret, in the API and in the console. */
const mask = '<secret>'
const comment = /(?:^|\s)#.*$/

/**
 * Warns of masks in `alertmanager.yml`. It is valid, as in Alertmanager, but a file saved from what `/status` or the console shows
 * has lost the secrets, and every notification that needs one would fail.
 */
export function maskedSecrets({
  text,
  parts = [],
  filename = 'alertmanager.yml',
}: AlertsConfigSource): readonly string[] {
  return [{ filename, text }, ...parts].flatMap((file) =>
    String(file.text)
      .split('\n')
      .flatMap((line, index) => {
        const column = line.replace(comment, '').indexOf(mask)
        if (column < 0) return []
        const why = 'stands in place of a secret: write the secret itself, or a reference to it'
        return [`${file.filename}:${index + 1}:${column + 1}: ${mask} ${why}`]
      }),
  )
}
