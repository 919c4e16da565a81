const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const

/** A size in the language of the page, such as `1.2 MB`. */
export function formatBytes(bytes: number, language: string): string {
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3))
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit: units[power] ?? 'byte',
    maximumFractionDigits: 1,
  }).format(bytes / 1_000 ** power)
}
