import {
  type GoReader,
  goBoolean,
  goFailure,
  goString,
  goStruct,
  isJsonObject,
  readAll,
  readStruct,
  typeMessage,
} from '@gatehouse/go-template/json'
import { goLabelSet, goTime, type ReadLabels, type ReadTime } from '../alert/read-models.ts'
import type { DecodedSilence, WireMatcher } from '../silence/silence.ts'
import type * as wire from '../wire/types.generated.ts'
import { decodeBody } from './decode-body.ts'
import { requiredInBody, schemaFailure } from './decode-failure.ts'

type ReadMatcher = wire.Matcher

interface Common {
  annotations: ReadLabels
  comment: string
  createdBy: string
  endsAt: ReadTime
  matchers: readonly (Partial<ReadMatcher> | null)[]
  startsAt: ReadTime
  untilResolved: boolean
  remindBeforeMs: number
}

const matcherStruct = goStruct<ReadMatcher>('Matcher', {
  name: goString,
  value: goString,
  isRegex: goBoolean,
  isEqual: goBoolean,
})

const goMatchers: GoReader<Common['matchers']> = (value, place, failures) => {
  if (!Array.isArray(value)) {
    failures.first ??= typeMessage(value, place, 'models.Matchers')
    return undefined
  }
  return value.map((item: unknown) => {
    if (item === null) return null
    if (isJsonObject(item)) return readStruct(item, matcherStruct, failures, 'matchers.')
    failures.first ??= typeMessage(item, place, 'models.Matcher')
    return null
  })
}

const wholeMs: GoReader<number> = (value, place, failures) => {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value
  failures.first ??= typeMessage(value, place, 'uint64')
  return undefined
}

// Alertmanager decodes a silence in two passes into different structs; messages name the struct.
const idStruct = goStruct<{ id: string }>('', { id: goString })
const commonStruct = goStruct<Common>('Silence', {
  annotations: goLabelSet,
  comment: goString,
  createdBy: goString,
  endsAt: goTime,
  matchers: goMatchers,
  startsAt: goTime,
  untilResolved: goBoolean,
  remindBeforeMs: wholeMs,
})

const idType = 'struct { ID string "json:\\"id,omitempty\\"" }'

function readSilence(value: unknown): Partial<Common & { id: string }> {
  if (value === null) return {}
  if (!isJsonObject(value)) throw goFailure(typeMessage(value, 'value', idType))
  const { id } = readAll((failures) => readStruct(value, idStruct, failures))
  const common = readAll((failures) => readStruct(value, commonStruct, failures))
  return id === undefined ? common : { ...common, id }
}

function checkMatcher(matcher: Partial<ReadMatcher> | null, index: number): WireMatcher {
  const path = `matchers.${index}`
  if (matcher === null) throw requiredInBody(path)
  const { name, value, isRegex, isEqual } = matcher
  if (isRegex === undefined) throw requiredInBody(`${path}.isRegex`)
  if (name === undefined) throw requiredInBody(`${path}.name`)
  if (value === undefined) throw requiredInBody(`${path}.value`)
  return { name, value, isRegex, ...(isEqual === undefined ? {} : { isEqual }) }
}

/**
 * Decodes the body of `POST /silences`.
 *
 * @throws {GatehouseError} `UnparsableBody`; `InvalidSchema`.
 * @see Alertmanager API v2, `postableSilence`
 */
export function decodeSilence(text: string | undefined): DecodedSilence {
  const read = decodeBody('silence', text, readSilence)
  const { id, comment, createdBy, endsAt, matchers, startsAt, annotations } = read
  const { untilResolved, remindBeforeMs } = read
  if (comment === undefined) throw requiredInBody('comment')
  if (createdBy === undefined) throw requiredInBody('createdBy')
  if (endsAt === undefined) throw requiredInBody('endsAt')
  if (matchers === undefined) throw requiredInBody('matchers')
  if (matchers.length === 0)
    throw schemaFailure(612, 'matchers in body should have at least 1 items')
  const checked = matchers.map(checkMatcher)
  if (startsAt === undefined) throw requiredInBody('startsAt')
  return {
    ...(id === undefined ? {} : { id }),
    matchers: checked,
    ...(startsAt.at === undefined ? {} : { startsAt: startsAt.at }),
    ...(endsAt.at === undefined ? {} : { endsAt: endsAt.at }),
    createdBy,
    comment,
    ...(annotations === undefined ? {} : { annotations }),
    ...(untilResolved === undefined ? {} : { untilResolved }),
    ...(remindBeforeMs === undefined ? {} : { remindBeforeMs }),
  }
}
