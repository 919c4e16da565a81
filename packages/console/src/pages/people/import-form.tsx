import type { ImportedUser, ImportOutcome } from '@gatehouse/client'
import { Button, FileButton, Group, Progress, Table, Textarea } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import { client } from '../../data/services.ts'
import { type RecordsProblem, readRecords } from '../../people/import-records.ts'
import { hashOf } from '../../route/route.ts'
import type { PeopleTexts } from '../../texts/en-people.ts'
import { usePeopleTexts } from '../../texts/people-texts.ts'
import { clip } from '../../widgets/clip.ts'
import { DataTable } from '../../widgets/data-table.tsx'
import { Failure } from '../../widgets/states.tsx'
import classes from './people-page.module.css'

/** How many users a request imports: each request ends soon, and says what happened to them. */
const atOnce = 100

interface Row {
  readonly record: ImportedUser
  readonly outcome: ImportOutcome
}

/** Imports users from a text or a file, and shows what happened to each. */
export function ImportForm(): ReactNode {
  const people = usePeopleTexts()
  const queries = useQueryClient()
  const [text, setText] = useState('')
  const [rows, setRows] = useState<readonly Row[]>([])
  const read = useMemo(() => readRecords(text), [text])
  const records = 'records' in read ? read.records : []
  const run = useMutation({
    mutationFn: async () => {
      let done: readonly Row[] = []
      for (let at = 0; at < records.length; at += atOnce) {
        const part = records.slice(at, at + atOnce)
        const outcomes = await client.users.import(part)
        const more = part.flatMap((record, index): Row[] => {
          const outcome = outcomes[index]
          return outcome === undefined ? [] : [{ record, outcome }]
        })
        done = [...done, ...more]
        setRows(done)
      }
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['users'] }),
  })
  const isShown = run.isPending || rows.length > 0
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault()
        setRows([])
        run.mutate()
      }}
    >
      <p className={classes.note}>{people.importDetail}</p>
      <Textarea
        className={classes.records ?? ''}
        label={people.records}
        placeholder={'email,email_verified,name\nmaya@example.com,yes,Maya Lund'}
        rows={8}
        data-autofocus
        spellCheck={false}
        value={text}
        error={'problem' in read && text.trim() !== '' ? wordsOf(read.problem, people) : undefined}
        onChange={({ currentTarget }) => {
          setText(currentTarget.value)
          setRows([])
        }}
      />
      <Group justify="space-between">
        <FileButton
          accept=".json,.csv,.txt,application/json,text/csv"
          onChange={(file) => void file?.text().then(setText)}
        >
          {(props) => (
            <Button variant="default" {...props}>
              {people.chooseFile}
            </Button>
          )}
        </FileButton>
        <Button type="submit" loading={run.isPending} disabled={records.length === 0}>
          {people.importCount(records.length)}
        </Button>
      </Group>
      {run.error !== null && <Failure error={run.error} />}
      {isShown && <Outcomes rows={rows} total={records.length} />}
    </form>
  )
}

function Outcomes({ rows, total }: { rows: readonly Row[]; total: number }): ReactNode {
  const people = usePeopleTexts()
  const failed = rows.filter(({ outcome }) => outcome.outcome === 'failed').length
  return (
    <>
      <p className={classes.note} role="status">
        {people.imported(rows.length - failed, failed)}
      </p>
      <Progress
        aria-label={people.progress}
        value={total === 0 ? 100 : (rows.length / total) * 100}
      />
      <DataTable
        label={people.results}
        heads={[people.row, people.name, people.result]}
        minWidth={420}
        maxHeight={320}
        isDense
      >
        {rows.map(({ record, outcome }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows are only added at the end.
          <Table.Tr key={index}>
            <Table.Td>{index + 1}</Table.Td>
            <Table.Td>
              <bdi>{clip(nameOf(record))}</bdi>
            </Table.Td>
            <Table.Td>
              {outcome.outcome === 'inserted' ? (
                <a href={hashOf(['people', 'user', outcome.userId])}>{people.inserted}</a>
              ) : (
                <>
                  <strong>{people.failed}</strong>{' '}
                  <span className={classes.quiet}>{reasonOf(outcome)}</span>
                </>
              )}
            </Table.Td>
          </Table.Tr>
        ))}
      </DataTable>
    </>
  )
}

const nameOf = (record: ImportedUser): string => {
  const { email, phone_number, preferred_username, id } = Object(record) as ImportedUser
  return String(email ?? phone_number ?? preferred_username ?? id ?? '')
}

/** The words of the server, and the places that they are about. */
function reasonOf({ error }: Extract<ImportOutcome, { outcome: 'failed' }>): string {
  const { causes } = error.info as { causes?: readonly { location?: string; kind?: string }[] }
  const places = causes?.map(({ location, kind }) => `${location ?? ''} ${kind ?? ''}`.trim()) ?? []
  return [error.message, ...places].filter((part) => part !== '').join(': ')
}

function wordsOf(problem: RecordsProblem, { problems }: PeopleTexts): string {
  switch (problem.kind) {
    case 'column':
    case 'twice':
    case 'key':
      return problems[problem.kind](problem.name)
    case 'line':
      return problems.line(problem.line)
    default:
      return problems[problem.kind]
  }
}
