import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { IconFailure } from './icon-fetch';
import type { ImageType } from './image-kind';

/** A picture that was fetched for the listings that name its address, or why there is none. */
@Entity('fetched_icons', { comment: 'owner: catalog' })
@Index('fetched_icons_due_at_idx', ['dueAt', 'src'])
@Check('fetched_icons_bytes_check', `num_nonnulls(bytes, failure) = 1 AND (bytes IS NULL) = (media_type IS NULL)`)
export class FetchedIcon {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'fetched_icons_pkey' })
  src: string;

  @Column('text', { name: 'media_type', nullable: true })
  mediaType: ImageType | null;

  @Column('bytea', { nullable: true })
  bytes: Buffer | null;

  @Column('text', { nullable: true })
  failure: IconFailure | null;

  @Column('timestamp with time zone', { name: 'fetched_at', precision: 3 })
  fetchedAt: Date;

  /** Until when the address is not asked again. */
  @Column('timestamp with time zone', { name: 'due_at', precision: 3 })
  dueAt: Date;
}
