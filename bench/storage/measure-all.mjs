// Runs both parts on one PostgreSQL.
import { openPostgres } from '../lib/postgres.mjs'
import { isApiWanted, measureApi } from './measure-api.mjs'
import { measureStorages, wantedMeasures } from './measure-storages.mjs'
import { isCliBuilt } from './servers.mjs'
import { thenEnd } from './then-end.mjs'

/** @typedef {import('./measure-storages.mjs').Row} Row */
/** @typedef {import('./measure-api.mjs').ApiRow} ApiRow */

/**
 * @param {{ rounds: number, wanted: (name: string) => boolean, postgresUrl: string | undefined }} options
 * @returns {Promise<{ database: string | undefined, storages: Row[], api: ApiRow[] }>}
 */
export async function measureAll({ rounds, wanted, postgresUrl }) {
  const chosen = wantedMeasures(wanted)
  const wantsApi = isApiWanted(wanted)
  if (chosen.length === 0 && !wantsApi) throw new Error('--only leaves nothing to measure')
  const canServe = isCliBuilt()
  if (wantsApi && !canServe) {
    console.error(
      'packages/cli is not built (npm run build): nothing is measured of the alert API.',
    )
  }
  const postgres = await openPostgres(postgresUrl)
  return thenEnd(
    async () => {
      const storages =
        chosen.length === 0 ? [] : await measureStorages(chosen, { rounds, postgres })
      const api = wantsApi && canServe ? await measureApi({ rounds, wanted, postgres }) : []
      return { database: postgres?.name, storages, api }
    },
    async () => postgres?.end(),
  )
}
