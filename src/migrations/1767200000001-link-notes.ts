import type { MigrationInterface, QueryRunner } from 'typeorm'

export class LinkNotes1767200000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE links ADD COLUMN note text')
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Notes of links would be lost. Restore a backup instead.'))
  }
}
