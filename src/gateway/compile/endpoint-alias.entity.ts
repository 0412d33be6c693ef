import { Check, Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation, Unique } from 'typeorm';
import { Bundle } from '../../bundles/bundle.entity';

/**
 * What precedes the names of an entry's tools. Assigned when the entry is first compiled, and kept: an entry that was
 * removed can come back with an earlier version of its bundle, and its tools have the same names then.
 */
@Entity('endpoint_aliases', { comment: 'owner: gateway' })
@Unique('endpoint_aliases_alias_key', ['bundleId', 'alias'])
@Check('endpoint_aliases_alias_check', `alias ~ '^[a-z0-9-]{1,16}$'`)
export class EndpointAlias {
  @PrimaryColumn('uuid', { name: 'bundle_id', primaryKeyConstraintName: 'endpoint_aliases_pkey' })
  bundleId: string;

  @ManyToOne(() => Bundle, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'bundle_id', foreignKeyConstraintName: 'endpoint_aliases_bundle_id_fkey' })
  bundle: Relation<Bundle>;

  /** Refers to no row: snapshots of versions name entries that the bundle does not have now. */
  @PrimaryColumn('uuid', { name: 'entry_id', primaryKeyConstraintName: 'endpoint_aliases_pkey' })
  entryId: string;

  @Column('text')
  alias: string;
}
