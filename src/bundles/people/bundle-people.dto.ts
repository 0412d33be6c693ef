import { ApiProperty } from '@nestjs/swagger';
import { IdField, InstantField } from '../../http/requests/fields';

/** A person who follows a bundle. No address: they need not know the people of the bundle. */
export class BundleFollowerOut {
  @IdField()
  user_id: string;

  @ApiProperty({
    type: 'string',
    nullable: true,
    example: 'Bob',
    description: 'Null also for a person who is in none of your organisations.',
  })
  name: string | null;

  @InstantField({ description: 'Since when.' })
  followed_at: string;
}

/** An editor. Of a person who is in none of the organisations of the reader, only the id. */
export class BundleEditorOut {
  @IdField()
  user_id: string;

  @ApiProperty({
    type: 'string',
    nullable: true,
    example: 'bob@example.com',
    description: 'Null also for a person who is in none of your organisations.',
  })
  email: string | null;

  @ApiProperty({ type: 'string', nullable: true, example: 'Bob', description: 'Null in the same cases.' })
  name: string | null;

  @ApiProperty({ description: 'False while they are no member of the organisation of the bundle.' })
  may_modify: boolean;

  @InstantField()
  created_at: string;
}

/** Rows as the services select them. */
export interface BundleFollowerRow extends Omit<BundleFollowerOut, 'followed_at'> {
  followed_at: Date;
}

export interface BundleEditorRow extends Omit<BundleEditorOut, 'created_at'> {
  created_at: Date;
}

export function toBundleFollower(row: BundleFollowerRow): BundleFollowerOut {
  return { user_id: row.user_id, name: row.name, followed_at: row.followed_at.toISOString() };
}

export function toBundleEditor(row: BundleEditorRow): BundleEditorOut {
  return {
    user_id: row.user_id,
    email: row.email,
    name: row.name,
    may_modify: row.may_modify,
    created_at: row.created_at.toISOString(),
  };
}
