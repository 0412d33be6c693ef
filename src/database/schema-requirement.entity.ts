import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** A migration that took something away, and which releases can do without it; one row each, so a handful. */
@Entity('schema_requirements', { comment: 'owner: database' })
@Check('schema_requirements_release_check', `release ~ '^[0-9]+\\.[0-9]+\\.[0-9]+$'`)
export class SchemaRequirement {
  /** The name of the migration that took it away. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'schema_requirements_pkey' })
  migration: string;

  /** The name of a migration that every release has which can do without. */
  @Column('text')
  knows: string;

  /** The first of those releases, for the message: `0.3.0`. */
  @Column('text')
  release: string;
}
