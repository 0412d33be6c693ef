import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Category } from './category.entity';

/** The count of a category as of the last refresh. */
@Entity('category_counts', { comment: 'owner: catalog' })
export class CategoryCount {
  @PrimaryColumn('integer', { name: 'category_id', primaryKeyConstraintName: 'category_counts_pkey' })
  categoryId: number;

  @ManyToOne(() => Category, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'category_id', foreignKeyConstraintName: 'category_counts_category_id_fkey' })
  category: Relation<Category>;

  @Column('integer', { name: 'mcp_count' })
  mcpCount: number;
}
