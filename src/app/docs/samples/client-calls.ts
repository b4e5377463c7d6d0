/**
 * The call of clients/typescript for each operation. `…` stands for all arguments of the example request, and `{name}` for
 * one of its values. The samples print the variable of a single-line `const`.
 */
export const callStatements: Readonly<Record<string, string>> = {
  createLink: 'const link = await client.links.create(…)',
  listLinks: 'for await (const link of client.links.list(…)) console.log(link.short_url)',
  getLink: 'const link = await client.links.get(…)',
  updateLink: 'const link = await client.links.update(…)',
  deleteLink: 'await client.links.delete(…)',
  getLinkBySlug: 'const link = await client.links.getBySlug(…)',
  putLinkByExternalId: 'const link = await client.links.putByExternalId(…)',
  createLinks: 'const report = await client.links.createMany(…)',
  updateLinks: 'const report = await client.links.updateMany(…)',
  deleteLinks: 'const report = await client.links.deleteMany(…)',
  listTags: 'for await (const tag of client.tags.list(…)) console.log(tag)',
  resolveSlug: 'const preview = await client.links.resolve({slug})',
  getLinkQr: 'const image = await client.links.qr(…)\nconsole.log(await image.text())',
  listLinkHistory: 'for await (const change of client.links.history(…)) console.log(change)',
  followLink:
    "const response = await fetch({url}, { redirect: 'manual' })\nconsole.log(response.headers.get('location'))",

  createToken: 'const token = await client.tokens.create(…)',
  listTokens: 'for await (const token of client.tokens.list(…)) console.log(token.name)',
  getToken: 'const token = await client.tokens.get(…)',
  revokeToken: 'await client.tokens.revoke(…)',
  rotateToken: 'const token = await client.tokens.rotate(…)',
  getOwnToken: 'const token = await client.tokens.self(…)',
  revokeOwnToken: 'await client.tokens.revokeSelf(…)',
  revokeTokenByValue: 'await client.tokens.revokeByValue({token})',

  createWebhook: 'const webhook = await client.webhooks.create(…)',
  listWebhooks: 'for await (const webhook of client.webhooks.list(…)) console.log(webhook.url)',
  getWebhook: 'const webhook = await client.webhooks.get(…)',
  updateWebhook: 'const webhook = await client.webhooks.update(…)',
  deleteWebhook: 'await client.webhooks.delete(…)',
  rotateWebhookSecret: 'const webhook = await client.webhooks.rotateSecret(…)',
  testWebhookFilter: 'const result = await client.webhooks.testFilter(…)',
  createPortalLink: 'const link = await client.webhooks.createPortalLink(…)',

  sendTestEvent: 'const test = await client.webhooks.test(…)',
  listDeliveries: 'for await (const delivery of client.webhooks.deliveries(…)) console.log(delivery)',
  getDelivery: 'const delivery = await client.webhooks.delivery(…)',
  redeliverDelivery: 'const delivery = await client.webhooks.redeliver(…)',
  skipDelivery: 'const delivery = await client.webhooks.skip(…)',
  replayDeliveries: 'const replay = await client.webhooks.replay(…)',
  getWebhookStats: 'const stats = await client.webhooks.stats(…)',
  explainEvent:
    'for await (const explanation of client.events.explain(…)) {\n  console.log(explanation.sentence)\n}',
  explainClick: 'const explanation = await client.clicks.explain(…)',
  explainLink: 'const explanation = await client.links.explain(…)',

  createNoticeTarget: 'const target = await client.notices.create(…)',
  listNoticeTargets: 'for await (const target of client.notices.list(…)) console.log(target.address)',
  getNoticeTarget: 'const target = await client.notices.get(…)',
  updateNoticeTarget: 'const target = await client.notices.update(…)',
  deleteNoticeTarget: 'await client.notices.delete(…)',
  testNotices: 'const test = await client.notices.test(…)',

  listEvents: 'for await (const event of client.events.list(…)) console.log(event)',
  getEvent: 'const event = await client.events.get(…)',
  listEventTypes: 'for await (const type of client.events.types(…)) console.log(type.name)',

  listLinkClicks: 'for await (const click of client.links.clicks(…)) console.log(click)',
  listClicks: 'const page = await client.clicks.read(…)',
  followLiveClicks: 'for await (const { item } of client.clicks.live(…)) console.log(item)',

  getAnalytics: 'const analytics = await client.analytics.get(…)',
  getLinkAnalytics: 'const analytics = await client.links.analytics(…)',

  createImport: 'const started = await client.imports.create({file}, {query})',
  listImports: 'for await (const each of client.imports.list(…)) console.log(each.status)',
  getImport: 'const found = await client.imports.get(…)',
  cancelImport: 'await client.imports.cancel(…)',
  getImportReport:
    'for await (const chunk of await client.imports.report(…)) {\n  process.stdout.write(chunk)\n}',
  exportLinks: 'for await (const chunk of await client.links.export(…)) {\n  process.stdout.write(chunk)\n}',

  listAuditEntries: 'for await (const entry of client.auditLog.list(…)) console.log(entry)',
  exportAuditEntries:
    'for await (const chunk of await client.auditLog.export(…)) {\n  process.stdout.write(chunk)\n}',

  getInstance: 'const instance = await client.instance.get(…)',
  getEgress: 'const egress = await client.instance.egress(…)',
  getDeliveryState: 'const state = await client.instance.deliveries(…)',

  getHealth: 'const response = await fetch({url})\nconsole.log(await response.json())',
  getReadiness: 'const response = await fetch({url})\nconsole.log(response.status)',
  getMetrics: 'const response = await fetch({url})\nconsole.log(await response.text())',
}
