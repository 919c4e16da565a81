import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isGatehouseError, silentLogger } from '@gatehouse/core'
import { describe, expect, it } from 'vitest'
import { Database } from '../../../test-support/sqlite.ts'
import { type Connection, createConnection } from './connection.ts'
import { isBusy } from './errors.ts'
import { applicationId, prepareSchema, schemaSteps } from './schema.ts'

const settings = {
  file: '"test.db"',
  busyTimeoutMs: 0,
  durability: 'process',
  logger: silentLogger,
} as const

describe('prepareSchema', () => {
  it("marks the database as Gatehouse's, with the version of its schema", () => {
    const database = new Database(':memory:')
    prepareSchema(createConnection(database), settings)
    expect(database.value('PRAGMA application_id')).toBe(applicationId)
    expect(database.value('PRAGMA user_version')).toBe(schemaSteps.length)
  })

  it('upgrades an older database step by step, once, and keeps its data', () => {
    const database = new Database(':memory:')
    const connection = createConnection(database)
    prepareSchema(connection, settings)
    database.exec('UPDATE gatehouse__counter SET commits = 42')
    const steps = [
      ...schemaSteps,
      'ALTER TABLE gatehouse__counter ADD COLUMN added INTEGER DEFAULT 1',
      'UPDATE gatehouse__counter SET added = added + 1',
    ]
    prepareSchema(connection, { ...settings, steps })
    prepareSchema(connection, { ...settings, steps })
    expect(database.prepare('SELECT * FROM gatehouse__counter').all()).toEqual([
      { commits: 42, added: 2 },
    ])
    expect(database.value('PRAGMA user_version')).toBe(steps.length)
    try {
      prepareSchema(connection, settings)
      expect.unreachable()
    } catch (error) {
      expect(isGatehouseError(error) && error.reason).toBe('StorageNewerVersion')
    }
  })

  it('does not take a database for foreign while another connection creates it', () => {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-schema-'))
    const file = join(folder, 'new.db')
    const one = createConnection(new Database(file))
    const other = createConnection(new Database(file, { timeout: 0 }))
    let looks = 0
    const watched: Connection = {
      ...one,
      get(sql, ...values) {
        const found = one.get(sql, ...values)
        // After the first look, unless it must wait for that look to end.
        if (++looks === 1) {
          try {
            prepareSchema(other, settings)
          } catch (error) {
            expect(isBusy(error)).toBe(true)
          }
        }
        return found
      },
    }
    prepareSchema(watched, settings)
    prepareSchema(other, settings)
    one.close()
    other.close()
    rmSync(folder, { recursive: true })
  })

  it('leaves an older database unchanged when a step fails', () => {
    const database = new Database(':memory:')
    const connection = createConnection(database)
    prepareSchema(connection, settings)
    const steps = [...schemaSteps, 'CREATE TABLE added (x)', 'no SQL at all']
    expect(() => prepareSchema(connection, { ...settings, steps })).toThrow('syntax error')
    expect(database.value('PRAGMA user_version')).toBe(schemaSteps.length)
    expect(() => database.prepare('SELECT * FROM added')).toThrow('no such table')
  })
})
