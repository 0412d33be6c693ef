import { Column, CreateDateColumn, Entity, PrimaryColumn, Unique, UpdateDateColumn } from 'typeorm';

@Entity('organisations')
@Unique('organisations_slug_key', ['slug'])
export class Organisation {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'organisations_pkey' })
  id: string;

  @Column('text')
  name: string;

  @Column('text')
  slug: string;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  @UpdateDateColumn({ type: 'timestamptz', name: 'updated_at', precision: 3 })
  updatedAt: Date;
}
