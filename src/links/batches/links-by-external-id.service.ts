import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'

import type { Caller } from '../../auth/caller.js'
import { isPlainText } from '../../platform/http/input/fields.js'
import { refuseInput } from '../../platform/http/input/input.pipe.js'
import { Problem } from '../../platform/http/problems/problem.js'
import type { InputError } from '../../platform/http/problems/problem.js'
import { requireMatch } from '../../platform/http/resource-headers.js'
import { longest } from '../link-fields.js'
import { CreateLink } from '../link.dto.js'
import type { LinkDto } from '../link.dto.js'
import { LinkRules } from '../link-rules.js'
import { newRowIds } from './link-batch.js'
import { inParts, LinkBatches, repeatingLostRaces } from './link-batches.js'

@Injectable()
export class LinksByExternalIdService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly rules: LinkRules,
    private readonly batches: LinkBatches,
  ) {}

  /** Writes a batch of one link, which is looked up and made or changed under one lock. */
  async put(
    caller: Caller,
    externalId: string,
    body: CreateLink,
    ifMatch: string | undefined,
  ): Promise<{ isNew: boolean; link: LinkDto }> {
    refuseInput('validation_failed', [...faultsOfId(externalId, body), ...this.rules.faultsOfNew(body)])
    const fields = Object.assign(new CreateLink(), body, { external_id: externalId })
    const requirePresent = (present: LinkDto | null): void => requireMatch(ifMatch, present)
    const options = { onConflict: 'replace', notify: true, requirePresent } as const
    return repeatingLostRaces(() =>
      this.dataSource.transaction(async (tx) => {
        const rows = inParts([{ index: 0, fields, ids: newRowIds() }])
        const outcome = (await this.batches.write(tx, caller, rows, options)).get(0)!
        if (outcome.status !== 'failed') return { isNew: outcome.status === 'created', link: outcome.link }
        const { detail, errors } = outcome.fault
        throw new Problem('conflict', { detail, errors, more: { field: 'slug' } })
      }),
    )
  }
}

function faultsOfId(externalId: string, body: CreateLink): InputError[] {
  const faults: InputError[] = []
  if (!isPlainText(externalId, 1, longest.externalId))
    faults.push({
      parameter: 'external_id',
      code: 'invalid_text',
      detail: `Write 1 to ${longest.externalId} characters, without control characters and not only spaces.`,
    })
  if (body.external_id !== undefined && body.external_id !== externalId)
    faults.push({
      pointer: '/external_id',
      code: 'not_the_same',
      detail: 'The address names another external_id. Leave it out of the body.',
    })
  return faults
}
