import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** Its only row exists once this instance was set up, and never goes again. */
@Entity('set_up', { comment: 'owner: sign-in' })
@Check('set_up_is_done_check', 'is_done')
export class SetUpDone {
  @PrimaryColumn('boolean', { name: 'is_done', primaryKeyConstraintName: 'set_up_pkey' })
  isDone: boolean;

  @Column('timestamp with time zone', { name: 'done_at', precision: 3 })
  doneAt: Date;
}
