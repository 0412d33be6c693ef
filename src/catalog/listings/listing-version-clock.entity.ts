import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** The latest `updated_at` of any version: locking its single row gives versions timestamps in commit order. */
@Entity('listing_version_clock', { comment: 'owner: catalog' })
@Check('listing_version_clock_only_row_check', 'only_row')
export class ListingVersionClock {
  @PrimaryColumn('boolean', { name: 'only_row', default: true, primaryKeyConstraintName: 'listing_version_clock_pkey' })
  onlyRow: boolean;

  @Column('timestamp with time zone', { name: 'last_stamp', precision: 3 })
  lastStamp: Date;
}
