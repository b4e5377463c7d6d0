import { Injectable } from '@nestjs/common'
import { InjectRepository } from '@nestjs/typeorm'
import { Repository } from 'typeorm'
import type { EntityManager } from 'typeorm'

import { Token } from './token.entity.js'

@Injectable()
export class TokensRepository {
  constructor(@InjectRepository(Token) private readonly tokens: Repository<Token>) {}

  async insert(tx: EntityManager, token: Token): Promise<void> {
    await tx.insert(Token, token)
  }

  findByHash(hash: Buffer): Promise<Token | null> {
    return this.tokens.findOneBy({ hash })
  }

  find(workspaceId: string, id: string): Promise<Token | null> {
    return this.tokens.findOneBy({ id, workspaceId })
  }

  exist(): Promise<boolean> {
    return this.tokens.exists()
  }

  findAnywhere(id: string): Promise<Token | null> {
    return this.tokens.findOneBy({ id })
  }

  findForUpdate(tx: EntityManager, workspaceId: string, id: string): Promise<Token | null> {
    return tx.findOne(Token, { where: { id, workspaceId }, lock: { mode: 'pessimistic_write' } })
  }

  /** Whoever needs several rows takes them in the order of their ids, or two transactions could wait for each other. */
  async lockInOrder(tx: EntityManager, ids: string[]): Promise<void> {
    await tx.query('SELECT FROM tokens WHERE id = ANY($1) ORDER BY id FOR UPDATE', [ids])
  }

  /** Keeps a token from being revoked until the transaction has ended. */
  findForShare(tx: EntityManager, id: string): Promise<Token | null> {
    return tx.findOne(Token, { where: { id }, lock: { mode: 'pessimistic_read' } })
  }

  listActive(workspaceId: string, before: string | null, limit: number | null): Promise<Token[]> {
    const query = this.tokens
      .createQueryBuilder('token')
      .where('token.workspaceId = :workspaceId AND token.revokedAt IS NULL', { workspaceId })
      .andWhere('(token.expiresAt IS NULL OR token.expiresAt > :now)', { now: new Date() })
      .orderBy('token.id', 'DESC')
    if (limit !== null) query.limit(limit)
    if (before !== null) query.andWhere('token.id < :before', { before })
    return query.getMany()
  }

  /** Ends a token at the given time, or leaves it where it ends sooner anyway. */
  async endBy(tx: EntityManager, id: string, time: Date): Promise<void> {
    await tx.query('UPDATE tokens SET expires_at = LEAST(expires_at, $2) WHERE id = $1', [id, time])
  }

  async revoke(tx: EntityManager, id: string, now: Date): Promise<string[]> {
    return idsOf(
      await tx.query('UPDATE tokens SET revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL RETURNING id', [
        id,
        now,
      ]),
    )
  }

  /**
   * Revokes a token and all that was minted from it. A mint holds its minter's row until it commits, so one that was
   * under way shows up in the next pass, and after a pass that finds nothing there can be none.
   */
  async revokeFamily(tx: EntityManager, id: string, now: Date): Promise<string[]> {
    const all: string[] = []
    for (;;) {
      const pass = idsOf(
        await tx.query(
          `WITH RECURSIVE family AS (
             SELECT id FROM tokens WHERE id = $1
             UNION SELECT child.id FROM tokens child JOIN family ON child.created_by = family.id
           ), locked AS (
             SELECT id FROM tokens WHERE id IN (SELECT id FROM family) AND revoked_at IS NULL ORDER BY id FOR UPDATE
           )
           UPDATE tokens SET revoked_at = $2 FROM locked WHERE tokens.id = locked.id RETURNING tokens.id`,
          [id, now],
        ),
      )
      if (pass.length === 0) return all
      all.push(...pass)
    }
  }

  async recordUse(uses: ReadonlyMap<string, Date>): Promise<void> {
    await this.tokens.query(
      `WITH used AS (
         SELECT tokens.id, batch.at FROM unnest($1::uuid[], $2::timestamptz[]) AS batch (id, at) JOIN tokens USING (id)
         ORDER BY tokens.id FOR NO KEY UPDATE OF tokens
       )
       UPDATE tokens SET last_used_at = used.at FROM used
       WHERE tokens.id = used.id AND (tokens.last_used_at IS NULL OR tokens.last_used_at < used.at)`,
      [[...uses.keys()], [...uses.values()]],
    )
  }
}

/** TypeORM answers an UPDATE with its rows and their number. */
function idsOf([rows]: [{ id: string }[], number]): string[] {
  return rows.map(({ id }) => id)
}
