import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn, Unique, UpdateDateColumn } from 'typeorm';

@Entity('categories', { comment: 'owner: catalog' })
@Unique('categories_slug_key', ['slug'])
export class Category {
  @PrimaryGeneratedColumn('identity', { generatedIdentity: 'BY DEFAULT', primaryKeyConstraintName: 'categories_pkey' })
  id: number;

  @Column('text')
  name: string;

  @Column('text')
  slug: string;

  @Column('text')
  description: string;

  /** The name of a Lucide icon. */
  @Column('text')
  icon: string;

  @Column('integer', { name: 'display_order' })
  displayOrder: number;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  @UpdateDateColumn({ type: 'timestamptz', name: 'updated_at', precision: 3 })
  updatedAt: Date;
}
