// Regular expressions in RE2 syntax, which match whole texts in linear time.
export { GoError, isExpectedError } from '../go-error.ts'
export { checkPattern, compilePattern, deferPattern, type Pattern } from './regex.ts'
