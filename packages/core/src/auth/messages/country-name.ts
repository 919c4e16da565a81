/** The name of a country in a language; anything but a code of two letters is shown as it is. */
export function countryName(code: string, language: string): string {
  if (!/^[A-Z]{2}$/i.test(code)) return code
  const [known = 'en'] = Intl.DisplayNames.supportedLocalesOf([language, 'en'])
  return new Intl.DisplayNames([known], { type: 'region' }).of(code.toUpperCase()) ?? code
}
