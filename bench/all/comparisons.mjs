// Which benchmarks have another program to compare with, and how their JSON becomes rows of one table.
import { rows as dispatchRows } from '../dispatch/report.mjs'
import { median } from '../lib/table.mjs'
import { rows as webhookRows } from '../webhook/report.mjs'

/**
 * @typedef {object} Row
 * @property {string} what
 * @property {string} unit
 * @property {number} ours
 * @property {number} [theirs]
 * @property {number} [ratio] above 1 if Gatehouse is better
 * @property {readonly [number, number]} [spread] the least and the largest ratio of all rounds
 */

/**
 * @typedef {object} Comparison
 * @property {string} title
 * @property {string[]} args of the benchmark
 * @property {(json: any) => Row[]} rows
 * @property {readonly string[]} [notes] lines below the table: where the time or the memory goes
 */

/**
 * @param {string} what
 * @param {string} unit `/s` if more is better, anything else if less is
 * @param {readonly number[]} ours in each round
 * @param {readonly (number | undefined)[]} theirs in the same rounds
 * @returns {Row}
 */
function row(what, unit, ours, theirs = []) {
  const known = theirs.filter((value) => value !== undefined)
  if (known.length === 0) return { what, unit, ours: median(ours) }
  const ratios = ours.flatMap((own, round) => {
    const other = theirs[round]
    if (other === undefined) return []
    return [unit === '/s' ? own / other : other / own]
  })
  return {
    what,
    unit,
    ours: median(ours),
    theirs: median(known),
    ratio: median(ratios),
    spread: [Math.min(...ratios), Math.max(...ratios)],
  }
}

/** By the name of the benchmark. @type {Readonly<Record<string, Comparison>>} */
export const comparisons = {
  alerts: {
    title: 'Alerts on SQLite, Alertmanager 0.25',
    args: [],
    rows: ({ runs: [{ rows }] }) =>
      rows.map((/** @type {any} */ { name, unit, medians, against: { sqlite } }) => {
        // The benchmark says how many times as much memory is used.
        const isMemory = unit === 'MiB'
        const ratio = sqlite && (isMemory ? 1 / sqlite.ratio : sqlite.ratio)
        const spread =
          sqlite &&
          (isMemory
            ? sqlite.spread.map((/** @type {number} */ one) => 1 / one).reverse()
            : sqlite.spread)
        return {
          what: name,
          unit,
          ours: medians.sqlite,
          theirs: medians.alertmanager,
          ratio,
          spread,
        }
      }),
    notes: [
      'Alertmanager answers a silence from memory, and writes silences to disk every 15 minutes; here an',
      'answer says that the silence is stored. On a busy machine a silence over 4 connections takes 0.22',
      'ms of processor time, 0.14 ms with `--storage.memory`, and 0.07 ms in Alertmanager. A third of it',
      'is commits, which 3 silences share, and the history; a third is HTTP, and the rest is decoding,',
      'checking and matching with alerts. One after the other, each silence has a commit of its own,',
      'which takes 0.05 ms.',
    ],
  },
  dispatch: {
    title: 'Notifications on SQLite, Alertmanager 0.25',
    args: [],
    rows: ({ sizes, rounds: { sqlite, alertmanager = [] } }) =>
      Object.entries(dispatchRows(sizes)).map(([key, { name, unit }]) => {
        /** @param {readonly Record<string, number>[]} rounds */
        const valuesOf = (rounds) => rounds.flatMap((one) => (key in one ? [one[key]] : []))
        return row(name, unit, valuesOf(sqlite), valuesOf(alertmanager))
      }),
    notes: [
      'One thread does all the work of the first notifications. A third of its time is SQLite, because',
      'each claim and each result is stored; a fifth is flushing, a tenth the HTTP client, an eighth',
      'garbage collection, and the rest is posts, promises and the history. With `--storage.memory` it',
      'takes two thirds of that time. Alertmanager stores nothing and uses both processors: 30 % for',
      'garbage collection, 28 % for the HTTP client, 21 % for its pipeline and 14 % for the posts.',
      'Fewer commits, claims and results in one commit, rarer checkpoints, a larger heap and more',
      'notifications at once changed the time by less than 5 % each. The JSON of a payload is 3 % of it.',
    ],
  },
  webhook: {
    title: 'Webhooks, adnanh/webhook 2.8',
    args: [],
    rows: ({ figures }) =>
      Object.entries(webhookRows).flatMap(([key, { text, unit }]) => {
        const own = figures.filter((/** @type {any} */ { name }) => name === key)
        const references = own.map((/** @type {any} */ { reference }) => reference)
        // Leave out statuses, and figures that the program webhook has no counterpart for.
        const isCompared = references.some((/** @type {unknown} */ one) => one !== undefined)
        if (!isCompared || unit === '' || key.startsWith('G2')) return []
        const values = own.map((/** @type {any} */ { value }) => value)
        return [row(text, unit, values, references)]
      }),
    notes: [
      'Three fifths of the time of a request with a wrong token are `node:http` and sockets. The rest is',
      'spread: parsing and checking the body, the token and its hash, the log line, the request ID and',
      'metrics take 2 to 5 % each.',
    ],
  },
  auth: {
    title: 'Sign-in on SQLite, better-auth 1.6',
    args: ['--samples', '0'],
    rows: ({ figures, peer }) => {
      const counted = 'storage operations of a sign-up of 9 requests'
      return [
        ...peer.map((/** @type {any} */ { name, unit, ours, theirs }) =>
          row(name, unit, [ours], [theirs]),
        ),
        row(counted, '', [figures[counted]]),
      ]
    },
  },
  start: {
    title: 'Start, Alertmanager 0.25',
    args: [],
    rows: ({ machine: _machine, rounds: _rounds, ...measures }) =>
      Object.entries(measures).map(([name, { gatehouse, alertmanager }]) =>
        row(name, '', gatehouse, alertmanager),
      ),
    notes: [
      'A Node.js server with a SQLite file takes 49 MiB before any code of Gatehouse. Another 6 MiB are',
      'the HTTP client and the templates, loaded ahead of the first notification; the rest is the code',
      'and its heap. Flags of V8 that trade speed for memory save up to 3 MiB, and cost an eighth of',
      'the start. Smaller young generations and a collection after the start save nothing. 45 of the 71',
      'MiB are pages of files, mostly of Node.js itself, which processes on one machine share.',
    ],
  },
}
