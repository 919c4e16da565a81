const jsTypes: ReadonlySet<string> = new Set([
  'application/ecmascript',
  'application/javascript',
  'application/json',
  'application/ld+json',
  'application/x-ecmascript',
  'application/x-javascript',
  'module',
  'text/ecmascript',
  'text/javascript',
  'text/javascript1.0',
  'text/javascript1.1',
  'text/javascript1.2',
  'text/javascript1.3',
  'text/javascript1.4',
  'text/javascript1.5',
  'text/jscript',
  'text/livescript',
  'text/x-ecmascript',
  'text/x-javascript',
])

/** Whether the content of a script of this type is JavaScript or JSON. */
export function isJsType(type: string): boolean {
  const [withoutParameters = ''] = type.split(';', 1)
  return jsTypes.has(withoutParameters.toLowerCase().trim())
}
