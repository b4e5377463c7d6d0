import type { ResultOf } from '@link-service/client'

import { formatNumber } from '../../app/format.js'
import { Badge, Section, Time } from '../../components/basics.js'
import { Records } from '../../components/records.js'
import type { Column } from '../../components/records.js'

type Process = ResultOf<'getInstance'>['processes'][number]

const columns: readonly Column<Process>[] = [
  {
    name: 'Role',
    cell: ({ role, status }) => (
      <>
        {role} {status !== 'running' && <Badge tone="warn">{status}</Badge>}
      </>
    ),
  },
  {
    name: 'Host',
    cell: ({ host, pid }) => (
      <>
        {host} <span class="muted small-text">pid {pid}</span>
      </>
    ),
    class: 'break',
  },
  { name: 'Version', cell: ({ version }) => version },
  { name: 'Started', cell: ({ started_at }) => <Time at={started_at} /> },
  {
    name: 'Webhooks',
    cell: ({ webhooks }) => (webhooks === null ? '–' : formatNumber(webhooks)),
    isRightAligned: true,
  },
  {
    name: 'Click lag',
    cell: ({ lag_seconds }) => (lag_seconds === null ? '–' : `${lag_seconds.toFixed(1)} s`),
    isRightAligned: true,
  },
]

/** The running processes of all roles. */
export function Processes({ processes }: { processes: Process[] }) {
  return (
    <Section title="Processes">
      <Records label="Processes" columns={columns} rows={processes} getRowKey={({ id }) => id} />
    </Section>
  )
}
