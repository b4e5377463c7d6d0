/** All migrations, oldest first. Released migrations never change. */
import type { Migrations } from '../platform/database/data-source.js'
import { Initial0000000000001 } from './0001-initial.js'
import { DeliveryControl0000000000002 } from './0002-delivery-control.js'
import { AuditFilters0000000000003 } from './0003-audit-filters.js'

export const history: Migrations = [
  Initial0000000000001,
  DeliveryControl0000000000002,
  AuditFilters0000000000003,
]
