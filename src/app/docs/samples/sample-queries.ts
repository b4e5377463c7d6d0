/** Query parameters in code samples. The document has examples only for required parameters. */
export type SampleQuery = Readonly<Record<string, string | number | boolean>>

export const sampleQueries: Readonly<Record<string, SampleQuery>> = {
  listLinks: { tag: 'sale', sort: '-clicks' },
  revokeToken: { descendants: true },
  listDeliveries: { status: 'failed' },
  explainLink: { type: 'link.updated' },
  listEvents: { type: 'link.created' },
  listLinkClicks: { limit: 100 },
  listClicks: { after: '' },
  getAnalytics: { interval: '30d', group_by: 'country' },
  getLinkAnalytics: { interval: '7d', group_by: 'referrer_host' },
  createImport: { on_conflict: 'skip' },
  exportLinks: { tag: 'sale', format: 'csv' },
  listAuditEntries: { action: 'link.deleted' },
  exportAuditEntries: { created_after: '2026-01-01T00:00:00Z' },
}
