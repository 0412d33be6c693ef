import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** When the counts were last refreshed. The single row's update decides which replica refreshes. */
@Entity('category_count_refresh', { comment: 'owner: catalog' })
@Check('category_count_refresh_only_row_check', 'only_row')
export class CategoryCountRefresh {
  @PrimaryColumn('boolean', {
    name: 'only_row',
    default: true,
    primaryKeyConstraintName: 'category_count_refresh_pkey',
  })
  onlyRow: boolean;

  @Column('timestamp with time zone', { name: 'refreshed_at', precision: 3, nullable: true })
  refreshedAt: Date | null;
}
