import {
  built,
  filledText,
  isMapping,
  type Outside,
  outsideText,
  parsed,
  parsedText,
  pathFrom,
  type Schema,
} from '@gatehouse/core/document'
import { fileProblem } from './config-file.ts'
import { messageOf } from './failure.ts'

/** The path of another document, or its content. {@link nodeAt} has it: its places are needed. */
export const documentOrPath: Schema<'path' | 'content'> = parsed(
  { type: ['string', 'object'] },
  (given, report) => {
    if (isMapping(given)) return 'content'
    if (typeof given !== 'string') return report('wrong_type', 'must be a path or a mapping')
    return given === '' ? report('empty', 'must not be empty') : 'path'
  },
)

/** A string that a function of ours may refuse with its own message. */
export const checkedBy = <T>(read: (written: string) => T): Schema<T> =>
  parsedText((written, report) => {
    try {
      return read(written)
    } catch (error) {
      return report('out_of_range', messageOf(error))
    }
  })

/** The part of a document's context that {@link fileText} needs. */
export interface Files extends Pick<Outside, 'directory'> {
  readonly readFile: (path: string) => string
}

/** The content of the named file, without its last line end. */
export const fileText: Schema<string> = parsedText(
  (path, report, { directory, readFile }: Files) => {
    try {
      return readFile(pathFrom(directory, path)).replace(/\r?\n$/, '')
    } catch (error) {
      return report('unresolved_reference', `cannot be read: ${fileProblem(error)}`)
    }
  },
  filledText,
)

/** A string with references resolved that is not blank. */
export const filledOutsideText: Schema<string> = built(outsideText, (value, report) =>
  value.trim() === '' ? report('empty', 'must not be empty') : value,
)
